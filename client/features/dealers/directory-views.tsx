import X from 'lucide-react/icons/x'
import { Link, useSearch } from 'wouter'
import { cx } from '#client/ui/cx.ts'
import type { DirectoryView } from '#shared/schemas/dealers.ts'

interface View {
  href: string
  about: string
}

/** The directory has three URLs. Two of them start with a filter, which the dealer can remove. */
export const directoryViews: Readonly<Record<DirectoryView, View>> = {
  all: { href: '/dealers', about: 'Every dealer in the network' },
  mine: { href: '/my-dealers', about: 'The dealers you are connected with' },
  discover: { href: '/discover', about: 'Dealers you are not connected with yet' },
}

const chips = [
  { view: 'mine', label: 'Connected' },
  { view: 'discover', label: 'Not connected' },
] as const

/** Pressing the active filter removes it and keeps all other filters. */
export function DirectoryViews({ view }: { view: DirectoryView }) {
  const search = useSearch()
  const rest = search ? `?${search}` : ''
  return (
    <nav aria-label="Filter by connection" className="flex gap-2 border-b border-line px-4 py-2 max-md:py-1">
      {chips.map(({ view: filter, label }) => {
        const isActive = filter === view
        return (
          <Link
            key={filter}
            href={directoryViews[isActive ? 'all' : filter].href + rest}
            aria-current={isActive ? 'page' : undefined}
            aria-label={isActive ? `Remove filter: ${label}` : label}
            className={cx(
              'inline-flex h-7 flex-none items-center gap-1 rounded-md px-2 text-xs font-medium max-md:h-11 max-md:px-3 max-md:text-sm touch:h-11 forced-colors:border',
              isActive
                ? 'bg-accent-soft text-accent-ink hover:shadow-[inset_0_0_0_1px_var(--lw-accent-line)]'
                : 'text-ink-2 shadow-[inset_0_0_0_1px_var(--lw-line-strong)] hover:bg-hover',
            )}
          >
            {label}
            {isActive ? <X size={14} aria-hidden="true" /> : null}
          </Link>
        )
      })}
    </nav>
  )
}
