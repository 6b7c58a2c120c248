import { buttonClass } from '#client/ui/button.tsx'
import { SiteSection } from './site-section.tsx'

interface SiteLink {
  href: string
  label: string
}

export function MoreLinks({ title, links, all }: { title: string; links: readonly SiteLink[]; all: SiteLink }) {
  return (
    <SiteSection title={title} raised>
      <ul className="mb-4 space-y-1">
        {links.map(({ href, label }) => (
          <li key={href}>
            <a href={href} className="inline-flex min-h-11 items-center text-base text-accent-ink hover:underline">
              {label}
            </a>
          </li>
        ))}
      </ul>
      <a href={all.href} className={buttonClass({ size: 'lg' })}>
        {all.label}
      </a>
    </SiteSection>
  )
}
