import { useInfiniteQuery } from '@tanstack/react-query'
import { Handshake } from 'lucide-react'
import { useState } from 'react'
import type { AdminDeal, ReviewStatus } from '#shared/schemas/admin.ts'
import { Badge } from '#client/ui/badge.tsx'
import { Button } from '#client/ui/button.tsx'
import { Card } from '#client/ui/card.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { capitalise, formatDate, formatMoney, formatNumber } from '#client/ui/format.ts'
import { LoadMore } from '#client/ui/load-more.tsx'
import { Segmented } from '#client/ui/segmented.tsx'
import { type Column, Table } from '#client/ui/table.tsx'
import { dealsQuery } from './admin.api.ts'
import { DealDialog } from './admin-deal-dialog.tsx'
import { Figures } from '#client/ui/figures.tsx'
import { Load } from './admin-load.tsx'
import { AdminSearch } from './admin-search.tsx'

const reviewTones = { pending: 'warning', approved: 'success', rejected: 'danger' } as const

const filters = [
  { value: 'all', label: 'All' },
  { value: 'pending', label: 'Pending' },
  { value: 'approved', label: 'Approved' },
  { value: 'rejected', label: 'Rejected' },
] as const

const columns = (open: (deal: AdminDeal) => void): readonly Column<AdminDeal>[] => [
  {
    key: 'vehicle',
    title: 'Vehicle',
    cell: (deal) => (
      <>
        <span className="block font-semibold">{deal.vehicleInfo}</span>
        <span className="block text-xs text-ink-2 md:hidden">
          {deal.sellerName} to {deal.buyerName}
        </span>
      </>
    ),
  },
  { key: 'buyer', title: 'Buyer', wideOnly: true, cell: (deal) => deal.buyerName },
  { key: 'seller', title: 'Seller', wideOnly: true, cell: (deal) => deal.sellerName },
  { key: 'price', title: 'Price', align: 'right', cell: (deal) => formatMoney(deal.price) },
  { key: 'date', title: 'Submitted', wideOnly: true, cell: (deal) => formatDate(deal.submittedDate) },
  {
    key: 'status',
    title: 'Status',
    cell: (deal) => <Badge tone={reviewTones[deal.status]}>{capitalise(deal.status)}</Badge>,
  },
  {
    key: 'open',
    title: 'Details',
    hideTitle: true,
    align: 'right',
    cell: (deal) => (
      <Button size="sm" aria-label={`View ${deal.vehicleInfo}`} onClick={() => open(deal)}>
        View
      </Button>
    ),
  },
]

/** /admin/deals: what dealers agreed on, for the network's own review. */
export function AdminDeals() {
  const [q, setQ] = useState('')
  const [status, setStatus] = useState<ReviewStatus | 'all'>('all')
  const [openId, setOpenId] = useState<string>()
  const deals = useInfiniteQuery(dealsQuery({ q, status }))
  const rows = deals.data?.pages.flatMap((page) => page.deals) ?? []
  const counts = deals.data?.pages[0]?.counts
  const shown = rows.find((deal) => deal.id === openId)
  const figure = (value: number | undefined) => (value === undefined ? '–' : formatNumber(value))
  return (
    <div className="space-y-3">
      <Figures
        label="Deals by review"
        figures={[
          { label: 'Total', value: figure(counts?.total) },
          { label: 'Pending Review', value: figure(counts?.pending) },
          { label: 'Approved', value: figure(counts?.approved) },
          { label: 'Rejected', value: figure(counts?.rejected) },
        ]}
      />
      <Card>
        <div className="flex flex-wrap items-center gap-2 p-4">
          <AdminSearch label="Search by buyer, seller or vehicle" value={q} onSearch={setQ} />
          <div className="ml-auto max-md:ml-0 max-md:w-full">
            <Segmented label="Status" value={status} onChange={setStatus} options={filters} />
          </div>
        </div>
        <Load query={deals} what="deals">
          {() => (
            <Table
              caption="Deals"
              columns={columns((deal) => setOpenId(deal.id))}
              rows={rows}
              rowKey={(deal) => deal.id}
              empty={
                <EmptyState
                  icon={<Handshake size={24} />}
                  title="No deals found"
                  hint="Try another buyer, seller or vehicle"
                />
              }
            />
          )}
        </Load>
        {deals.hasNextPage ? (
          <LoadMore busy={deals.isFetchingNextPage} onLoad={() => void deals.fetchNextPage()} />
        ) : null}
      </Card>
      {shown ? <DealDialog deal={shown} onClose={() => setOpenId(undefined)} /> : null}
    </div>
  )
}
