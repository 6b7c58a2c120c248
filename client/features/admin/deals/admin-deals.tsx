import { useInfiniteQuery } from '@tanstack/react-query'
import Handshake from 'lucide-react/icons/handshake'
import { useState } from 'react'
import type { AdminDeal } from '#shared/schemas/admin.ts'
import type { ReviewStatus } from '#shared/schemas/deals.ts'
import { Badge } from '#client/ui/badge.tsx'
import { Button } from '#client/ui/button.tsx'
import { Card } from '#client/ui/card.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { capitalize, formatDate, formatMoney, formatNumber } from '#client/ui/format.ts'
import { LoadMore } from '#client/ui/load-more.tsx'
import { Segmented } from '#client/ui/segmented.tsx'
import { DebouncedSearch } from '#client/ui/debounced-search.tsx'
import { type Column, Table } from '#client/ui/table.tsx'
import { adminDealsQuery } from '../admin.api.ts'
import { DealDialog } from './admin-deal-dialog.tsx'
import { Figures } from '#client/ui/figures.tsx'
import { AdminDealerLink } from '../admin-dealer-link.tsx'
import { Load } from '../home/admin-load.tsx'

const reviewTones = { pending: 'warning', approved: 'success', rejected: 'danger' } as const

const filters = [
  { value: 'all', label: 'All' },
  { value: 'pending', label: 'In review' },
  { value: 'approved', label: 'Approved' },
  { value: 'rejected', label: 'Rejected' },
] as const

const columns = (open: (deal: AdminDeal) => void): readonly Column<AdminDeal>[] => [
  {
    key: 'vehicle',
    title: 'Vehicle',
    cell: (deal) => <span className="font-semibold">{deal.vehicleInfo}</span>,
  },
  {
    key: 'buyer',
    title: 'Buyer',
    cell: (deal) => <AdminDealerLink id={deal.buyerId}>{deal.buyerName}</AdminDealerLink>,
  },
  {
    key: 'seller',
    title: 'Seller',
    cell: (deal) => <AdminDealerLink id={deal.sellerId}>{deal.sellerName}</AdminDealerLink>,
  },
  { key: 'price', title: 'Price', align: 'right', cell: (deal) => formatMoney(deal.price) },
  { key: 'date', title: 'Submitted', cell: (deal) => formatDate(deal.submittedDate) },
  {
    key: 'status',
    title: 'Status',
    cell: (deal) => <ReviewBadge deal={deal} />,
  },
  {
    key: 'open',
    title: 'Details',
    hideTitle: true,
    align: 'right',
    cell: (deal) => <ViewButton deal={deal} onOpen={() => open(deal)} />,
  },
]

const ReviewBadge = ({ deal: { status } }: { deal: AdminDeal }) => (
  <Badge tone={reviewTones[status]}>{status === 'pending' ? 'In review' : capitalize(status)}</Badge>
)

function ViewButton({ deal, onOpen }: { deal: AdminDeal; onOpen: () => void }) {
  return (
    <Button size="sm" aria-label={`View ${deal.vehicleInfo}`} onClick={onOpen}>
      View
    </Button>
  )
}

function DealCard({ deal, onOpen }: { deal: AdminDeal; onOpen: () => void }) {
  return (
    <div className="flex items-center gap-3">
      <div className="min-w-0 flex-1">
        <p className="truncate font-semibold">{deal.vehicleInfo}</p>
        <p className="truncate text-xs text-ink-2">
          <AdminDealerLink id={deal.sellerId}>{deal.sellerName}</AdminDealerLink> to{' '}
          <AdminDealerLink id={deal.buyerId}>{deal.buyerName}</AdminDealerLink>
        </p>
        <p className="mt-1 flex items-center gap-2">
          <span className="num font-semibold">{formatMoney(deal.price)}</span>
          <ReviewBadge deal={deal} />
          <span className="num text-xs text-ink-3">{formatDate(deal.submittedDate)}</span>
        </p>
      </div>
      <ViewButton deal={deal} onOpen={onOpen} />
    </div>
  )
}

const figuresOf = (counts: Partial<Record<'total' | ReviewStatus, number>> = {}) =>
  (
    [
      ['Total', counts.total],
      ['Pending Review', counts.pending],
      ['Approved', counts.approved],
      ['Rejected', counts.rejected],
    ] as const
  ).map(([label, value]) => ({ label, value: value === undefined ? '–' : formatNumber(value) }))

export function AdminDeals() {
  const [q, setQ] = useState('')
  const [status, setStatus] = useState<ReviewStatus | 'all'>('all')
  const [opened, setOpened] = useState<AdminDeal>()
  const deals = useInfiniteQuery(adminDealsQuery({ q, status }))
  const rows = deals.data?.pages.flatMap((page) => page.deals) ?? []
  const counts = deals.data?.pages[0]?.counts
  // Keep the dialog open even if the deal leaves the list, because the admin may be writing a reason.
  const shown = opened && (rows.find((deal) => deal.id === opened.id) ?? opened)
  return (
    <div className="space-y-3">
      <Figures label="Deals by review" figures={figuresOf(counts)} />
      <Card>
        <div className="flex flex-wrap items-center gap-2 p-4">
          <DebouncedSearch label="Search by buyer, seller or vehicle" value={q} onSearch={setQ} />
          <div className="ml-auto max-md:ml-0 max-md:w-full">
            <Segmented label="Status" value={status} onChange={setStatus} options={filters} />
          </div>
        </div>
        <Load query={deals} what="deals">
          {() => (
            <Table
              caption="Deals"
              columns={columns(setOpened)}
              rows={rows}
              rowKey={(deal) => deal.id}
              card={(deal) => <DealCard deal={deal} onOpen={() => setOpened(deal)} />}
              empty={
                <EmptyState
                  icon={<Handshake size={24} />}
                  title="No deals found"
                  hint="Deals submitted for review appear here"
                />
              }
            />
          )}
        </Load>
        {deals.hasNextPage ? (
          <LoadMore busy={deals.isFetchingNextPage} onLoad={() => void deals.fetchNextPage()} />
        ) : null}
      </Card>
      {shown ? <DealDialog deal={shown} onClose={() => setOpened(undefined)} /> : null}
    </div>
  )
}
