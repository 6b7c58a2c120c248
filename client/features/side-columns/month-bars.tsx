import { formatMoney } from '#client/ui/format.ts'
import type { SalesAnalytics } from '#shared/schemas/dashboard.ts'

const monthName = new Intl.DateTimeFormat('en-US', { month: 'short', timeZone: 'UTC' })

/** Six months as bars, each with its figures in words for assistive tech. */
export function MonthBars({ months }: { months: SalesAnalytics['months'] }) {
  const highest = Math.max(1, ...months.map((month) => month.total))
  return (
    <ol aria-label="By month" className="grid h-36 grid-cols-6 gap-2">
      {months.map(({ month, count, total }) => {
        const name = monthName.format(new Date(`${month}T00:00:00Z`))
        return (
          <li key={month} className="flex flex-col items-center justify-end gap-1 text-xs text-ink-2">
            <span aria-hidden="true" className="num text-ink">
              {count}
            </span>
            <span
              aria-hidden="true"
              style={{ height: `${(total / highest) * 70}%` }}
              className="min-h-px w-full max-w-12 rounded-t-sm bg-accent"
            />
            <span aria-hidden="true">{name}</span>
            <span className="sr-only">{`${name}: ${count}, ${formatMoney(total)}`}</span>
          </li>
        )
      })}
    </ol>
  )
}
