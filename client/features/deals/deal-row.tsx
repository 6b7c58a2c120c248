import { Link } from 'wouter'
import { StatusBadge } from '#client/ui/badge.tsx'
import { DealerLink } from '#client/ui/dealer-link.tsx'
import { formatMoney, formatVehicle } from '#client/ui/format.ts'
import type { Deal } from '#shared/schemas/deals.ts'

/** The name is layered above the row's link, so that the name can be clicked. */
export function DealParty({ deal, selling }: { deal: Deal; selling: boolean }) {
  const done = deal.status === 'completed'
  const [verb, way] = selling ? [done ? 'Sold' : 'Selling', 'to'] : [done ? 'Bought' : 'Buying', 'from']
  return (
    <>
      {verb} {way} <DealerLink dealer={selling ? deal.buyer : deal.seller} className="relative" />
    </>
  )
}

/** Returns the path of a deal. `search` is the query string of the list of deals, which the path keeps. */
export const addressOfDeal = (dealId: string, search = ''): string => `/deals/${dealId}${search && `?${search}`}`

/** A link that covers the whole row. */
export function DealLink({ deal, className, search }: { deal: Deal; className: string; search?: string }) {
  return (
    <Link href={addressOfDeal(deal.id, search)} className={`${className} after:absolute after:inset-0`}>
      {formatVehicle(deal) || 'Deal'}
    </Link>
  )
}

export function DealRow({ deal, selling }: { deal: Deal; selling: boolean }) {
  return (
    <li className="relative grid grid-cols-[minmax(0,1fr)_auto] gap-x-3 px-4 py-2 hover:bg-hover">
      <span className="truncate">
        <DealLink deal={deal} className="font-medium" />
      </span>
      <span className="num text-right font-semibold">{formatMoney(deal.price)}</span>
      <span className="truncate text-xs text-ink-2">
        <DealParty deal={deal} selling={selling} />
      </span>
      <span className="text-right">
        <StatusBadge status={deal.status} />
      </span>
    </li>
  )
}
