import { Link } from 'wouter'
import { StatusBadge } from '#client/ui/badge.tsx'
import { formatMoney } from '#client/ui/format.ts'
import type { Deal } from '#shared/schemas/deals.ts'

/** Who is on the other side, and whether it is done. */
export function partyOf(deal: Deal, selling: boolean): string {
  const done = deal.status === 'completed'
  if (selling) return `${done ? 'Sold' : 'Selling'} to ${deal.buyer.name}`
  return `${done ? 'Bought' : 'Buying'} from ${deal.seller.name}`
}

/** One deal on two lines: vehicle and price, other side and status. It leads to the deal. */
export function DealRow({ deal, selling }: { deal: Deal; selling: boolean }) {
  const content = (
    <>
      <span className="truncate font-medium">{[deal.year, deal.make, deal.model].filter(Boolean).join(' ')}</span>
      <span className="num text-right font-semibold">{formatMoney(deal.price)}</span>
      <span className="truncate text-xs text-ink-2">{partyOf(deal, selling)}</span>
      <span className="text-right">
        <StatusBadge status={deal.status} />
      </span>
    </>
  )
  return (
    <li>
      <Link
        href={`/deals/${deal.id}`}
        className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-3 px-4 py-2 hover:bg-hover focus-visible:-outline-offset-2"
      >
        {content}
      </Link>
    </li>
  )
}
