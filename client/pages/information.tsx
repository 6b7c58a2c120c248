import { type ReactNode, useEffect, useRef } from 'react'
import { useLocation, useParams, Link } from 'wouter'
import { PageLayout } from '#client/app/page-layout.tsx'
import { helpArticles } from '#client/content/help.ts'
import { useBilling } from '#client/lib/session/billing-enabled.ts'
import { isPublicPath } from '#client/lib/session/public-paths.ts'
import { ButtonLink } from '#client/ui/button-link.tsx'
import { ArticleNotFound } from '#client/ui/article-sections.tsx'
import { ContactPage } from './site/contact.tsx'
import { HelpArticlePage, HelpPage } from './site/help.tsx'
import { PrivacyPage } from './site/privacy.tsx'
import { StatusPage } from './site/status.tsx'
import { cx } from '#client/ui/cx.ts'

const pages = [
  { href: '/help', label: 'Help' },
  { href: '/contact', label: 'Contact' },
  { href: '/privacy', label: 'Privacy' },
  { href: '/status', label: 'Status' },
] as const

const isIn = (path: string, href: string) => path === href || path.startsWith(`${href}/`)

function Information({ title, children }: { title: string; children: ReactNode }) {
  const [path] = useLocation()
  const links = useAppLinks()
  return (
    <PageLayout title={title}>
      <div className="max-md:pt-3">
        <LinkTabs label="Information" links={pages.map((page) => ({ ...page, current: isIn(path, page.href) }))} />
      </div>
      <div
        ref={links}
        className="overflow-hidden rounded-md border border-line max-md:rounded-none max-md:border-x-0 max-md:border-b-0"
      >
        {children}
      </div>
    </PageLayout>
  )
}

/** Makes links inside a public page navigate within the app, if the app has the linked page. */
function useAppLinks() {
  const box = useRef<HTMLDivElement>(null)
  const [, navigate] = useLocation()
  useEffect(() => {
    const element = box.current
    const follow = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest('a') : null
      if (!link || link.origin !== location.origin || event.button !== 0) return
      if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
      const { pathname, search, hash } = link
      const isHere = pages.some(({ href }) => isIn(pathname, href))
      if (isPublicPath(pathname) && pathname !== '/' && !isHere) link.href = `${pathname}?public`
      else {
        event.preventDefault()
        navigate(pathname + search + hash)
      }
    }
    element?.addEventListener('click', follow)
    return () => element?.removeEventListener('click', follow)
  }, [navigate])
  return box
}

export const HelpInApp = () => (
  <Information title="Help center">
    <HelpPage />
  </Information>
)

export function HelpArticleInApp() {
  const { slug } = useParams<{ slug: string }>()
  const article = helpArticles(useBilling()).find((one) => one.slug === slug)
  return (
    <Information title={article?.title ?? 'Article not found'} key={slug}>
      {article ? (
        <HelpArticlePage article={article} />
      ) : (
        <ArticleNotFound action={<ButtonLink href="/help">All help articles</ButtonLink>} />
      )}
    </Information>
  )
}

export const ContactInApp = () => (
  <Information title="Contact">
    <ContactPage />
  </Information>
)

export const PrivacyInApp = () => (
  <Information title="Privacy">
    <PrivacyPage />
  </Information>
)

export const StatusInApp = () => (
  <Information title="Status">
    <StatusPage />
  </Information>
)

interface LinkTabsProps {
  label: string
  links: readonly { href: string; label: string; current: boolean }[]
}

function LinkTabs({ label, links }: LinkTabsProps) {
  return (
    <nav aria-label={label} className="flex gap-1 overflow-x-auto pb-3 max-md:px-4">
      {links.map(({ href, label: name, current }) => (
        <Link
          key={href}
          href={href}
          aria-current={current ? 'page' : undefined}
          className={cx(
            'inline-flex h-8 flex-none items-center rounded-md px-3 font-medium max-md:h-11',
            current ? 'bg-accent-soft text-accent-ink' : 'text-ink-2 hover:bg-hover',
          )}
        >
          {name}
        </Link>
      ))}
    </nav>
  )
}
