import { Link } from 'wouter'
import { cx } from './cx.ts'

interface LinkTabsProps {
  label: string
  links: readonly { href: string; label: string; current: boolean }[]
}

export function LinkTabs({ label, links }: LinkTabsProps) {
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
