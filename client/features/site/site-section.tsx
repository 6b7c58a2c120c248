import { type ReactNode } from 'react'
import { cx } from '#client/ui/cx.ts'
import { siteWidth } from './site-frame.tsx'

export function SiteHero({ title, lede, children }: { title: string; lede: string; children?: ReactNode }) {
  return (
    <div className="border-b border-line bg-surface">
      <div className={cx(siteWidth, 'py-12 max-md:py-8')}>
        <h1 className="text-xl font-semibold tracking-xl text-balance max-md:text-[2rem] max-md:leading-9">{title}</h1>
        <p className="mt-3 max-w-180 text-md text-pretty text-ink-2">{lede}</p>
        {children}
      </div>
    </div>
  )
}

interface SiteSectionProps {
  title?: string
  lede?: string
  raised?: boolean
  id?: string
  children: ReactNode
}

export function SiteSection({ title, lede, raised = false, id, children }: SiteSectionProps) {
  return (
    <section id={id} className={cx('py-12 max-md:py-8', raised && 'border-y border-line bg-surface')}>
      <div className={siteWidth}>
        {title ? <h2 className="text-lg font-semibold tracking-lg">{title}</h2> : null}
        {lede ? <p className="mt-1 max-w-180 text-md text-pretty text-ink-2">{lede}</p> : null}
        <div className={title ? 'mt-6' : undefined}>{children}</div>
      </div>
    </section>
  )
}

export function InfoCard({ title, children, level = 3 }: { title: string; children: ReactNode; level?: 2 | 3 }) {
  const Heading = level === 2 ? 'h2' : 'h3'
  return (
    <article className="rounded-md border border-line bg-surface p-5 shadow-1">
      <Heading className="text-md font-semibold">{title}</Heading>
      <div className="mt-1 text-base text-pretty text-ink-2">{children}</div>
    </article>
  )
}

export function CardGrid({ columns, children }: { columns: 2 | 3 | 4; children: ReactNode }) {
  const wide = { 2: 'lg:grid-cols-2', 3: 'lg:grid-cols-3', 4: 'lg:grid-cols-4' }[columns]
  return <div className={cx('grid gap-3 sm:grid-cols-2', wide)}>{children}</div>
}
