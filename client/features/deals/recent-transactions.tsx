import { useQuery } from '@tanstack/react-query'
import ReceiptText from 'lucide-react/icons/receipt-text'
import { useCurrentDealer } from '#client/lib/session/current-dealer.ts'
import { StatusBadge } from '#client/ui/badge.tsx'
import { DotSeparator } from '#client/ui/dot-separator.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { formatMoney } from '#client/ui/format.ts'
import { QueryError } from '#client/ui/query-state.tsx'
import { RelativeTime } from '#client/ui/relative-time.tsx'
import { Loading, SkeletonRows } from '#client/ui/skeleton.tsx'
import { DealLink, DealParty } from './deal-row.tsx'
import { dealsQuery } from './deals.api.ts'

const shown = 4

export function RecentTransactions() {
  const me = useCurrentDealer()
  const deals = useQuery(dealsQuery(me.id))
  if (deals.error) return <QueryError query={deals} failure="Your activity could not be loaded" className="p-4" />
  if (!deals.data)
    return (
      <div className="p-4">
        <Loading label="Loading recent activity">
          <SkeletonRows rows={shown} />
        </Loading>
      </div>
    )
  if (deals.data.length === 0)
    return (
      <EmptyState
        level={3}
        icon={<ReceiptText size={24} />}
        title="No transactions yet"
        hint="Your purchases and sales appear here."
      />
    )
  return (
    <ul>
      {deals.data.slice(0, shown).map((deal) => (
        <li
          key={deal.id}
          className="relative flex items-center gap-3 border-b border-line px-4 py-3 last:border-b-0 hover:bg-hover"
        >
          <div className="min-w-0 flex-1">
            <p className="truncate">
              <DealLink deal={deal} className="font-semibold" />
            </p>
            <p className="truncate text-xs text-ink-2">
              <DealParty deal={deal} selling={deal.sellerId === me.id} />
              <DotSeparator />
              <RelativeTime iso={deal.updatedAt} />
            </p>
          </div>
          <span className="num font-semibold">{formatMoney(deal.price)}</span>
          <StatusBadge status={deal.status} />
        </li>
      ))}
    </ul>
  )
}
