import ArrowLeft from 'lucide-react/icons/arrow-left'
import { type ReactNode } from 'react'
import { footerGroups, headerLinks, linksWhere } from '#client/content/site.ts'
import { useBilling } from '#client/lib/session/billing-enabled.ts'
import { Brand } from '#client/ui/brand.tsx'
import { buttonClass } from '#client/ui/button.tsx'
import { cx } from '#client/ui/cx.ts'
import { useDemoNetwork } from './demo-network.ts'
import { useIsDocument } from './island.tsx'

export const siteWidth = 'mx-auto w-full max-w-300 px-6 max-md:px-4'

interface SiteFrameProps {
  landing?: boolean
  children: ReactNode
}

export function SiteFrame({ landing = false, children }: SiteFrameProps) {
  const isDocument = useIsDocument()
  if (!isDocument) return children
  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href="#main"
        className="fixed top-2 left-4 z-80 -translate-y-16 rounded-md bg-inverse px-3 py-2 text-on-inverse focus:translate-y-0"
      >
        Skip to content
      </a>
      <header className="sticky top-0 z-20 border-b border-line bg-surface">
        <div className={cx(siteWidth, 'flex h-16 items-center gap-6 max-md:gap-2')}>
          <a
            href="/"
            aria-label="Lanewire home"
            className="inline-flex min-h-11 min-w-11 items-center rounded-sm max-md:mr-auto"
          >
            <Brand />
          </a>
          {landing ? <LandingLinks /> : <BackToHome />}
        </div>
      </header>
      <main id="main" tabIndex={-1} className="flex-1">
        {children}
      </main>
      <SiteFooter />
    </div>
  )
}

function LandingLinks() {
  // On a demo network, the button that opens the demo is the primary one.
  const variant = useDemoNetwork() ? 'secondary' : 'primary'
  return (
    <>
      <nav aria-label="Site" className="flex flex-1 gap-6 font-medium text-ink-2 max-md:hidden">
        {linksWhere(headerLinks, useBilling()).map(({ href, label }) => (
          <a key={href} href={href} className="inline-flex min-h-11 items-center hover:text-ink">
            {label}
          </a>
        ))}
      </nav>
      <a href="/login" className={buttonClass({ variant: 'ghost' })}>
        Login
      </a>
      <a href="/login?mode=signup" className={buttonClass({ variant })}>
        Get Started
      </a>
    </>
  )
}

function BackToHome() {
  return (
    <a href="/" className={buttonClass({ variant: 'secondary', className: 'md:ml-auto' })}>
      <ArrowLeft size={16} aria-hidden="true" />
      Back to Home
    </a>
  )
}

function SiteFooter() {
  const billing = useBilling()
  return (
    <footer className="border-t border-line bg-surface pt-10 pb-8">
      <div className={cx(siteWidth, 'grid grid-cols-[2fr_repeat(3,1fr)] gap-8 max-lg:grid-cols-3 max-sm:grid-cols-2')}>
        <div className="max-lg:col-span-full">
          <a href="/" aria-label="Lanewire home" className="inline-flex min-h-11 items-center rounded-sm">
            <Brand />
          </a>
          <p className="max-w-70 text-ink-2">The live wholesale network for verified used‑car dealers.</p>
        </div>
        {footerGroups.map((group) => (
          <nav key={group.title} aria-label={group.title}>
            <h2 className="mb-2 text-xs font-semibold">{group.title}</h2>
            <ul>
              {linksWhere(group.links, billing).map(({ href, label }) => (
                <li key={href}>
                  <a
                    href={href}
                    className="inline-flex min-w-11 items-center py-1 text-ink-2 hover:text-ink max-md:min-h-11"
                  >
                    {label}
                  </a>
                </li>
              ))}
            </ul>
          </nav>
        ))}
      </div>
    </footer>
  )
}
