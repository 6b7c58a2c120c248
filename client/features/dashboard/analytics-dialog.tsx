import { formatMoney, formatMonth, formatNumber } from '#client/ui/format.ts'
import type { SalesAnalytics, SalesKind } from '#shared/schemas/dashboard.ts'
import { useQuery } from '@tanstack/react-query'
import ChartNoAxesColumn from 'lucide-react/icons/chart-no-axes-column'
import { reasonOf } from '#client/lib/http/api.ts'
import { planNeedOf } from '#client/lib/session/plan-refusal.ts'
import { Dialog } from '#client/ui/dialog.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { InlineError } from '#client/ui/inline-error.tsx'
import { NeedsPlan } from '#client/ui/needs-plan.tsx'
import { RelativeTime } from '#client/ui/relative-time.tsx'
import { Loading, Skeleton } from '#client/ui/skeleton.tsx'
import { type Column, Table } from '#client/ui/table.tsx'
import { salesQuery } from './dashboard.api.ts'

export function MonthBars({ months }: { months: SalesAnalytics['months'] }) {
  const highest = Math.max(1, ...months.map((month) => month.total))
  return (
    <ol aria-label="By month" className="grid h-36 grid-cols-6 gap-2">
      {months.map(({ month, count, total }) => {
        const name = formatMonth(`${month}T00:00:00Z`, 'UTC')
        return (
          <li key={month} className="flex flex-col items-center justify-end gap-1 text-xs text-ink-2">
            <span aria-hidden="true" className="num text-ink">
              {formatNumber(count)}
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

const words: Record<SalesKind, { title: string; meaning: string; none: string }> = {
  sold: { title: 'Vehicles Sold', meaning: 'Completed deals where you were the seller.', none: 'No vehicles sold yet' },
  pending: {
    title: 'Vehicles Pending',
    meaning: 'Deals waiting for your approval.',
    none: 'No deals waiting for your approval',
  },
  near: {
    title: 'Near Deals',
    meaning: 'Deals agreed on but not yet completed.',
    none: 'No deals close to completion',
  },
}

const columns: Column<SalesAnalytics['deals'][number]>[] = [
  { key: 'vehicle', title: 'Vehicle', cell: (deal) => <span className="font-medium">{deal.vehicle}</span> },
  { key: 'buyer', title: 'Buyer', cell: (deal) => deal.buyerName },
  { key: 'when', title: 'Last updated', wideOnly: true, cell: (deal) => <RelativeTime iso={deal.updatedAt} /> },
  { key: 'price', title: 'Price', align: 'right', cell: (deal) => formatMoney(deal.price) },
]

export function AnalyticsDialog({ kind, onClose }: { kind: SalesKind; onClose: () => void }) {
  const sales = useQuery(salesQuery(kind))
  const { title, meaning, none } = words[kind]
  const need = planNeedOf(sales.error)
  return (
    <Dialog open onOpenChange={onClose} title={title} description={meaning} width="md">
      {need ? <NeedsPlan need={need} icon={<ChartNoAxesColumn size={24} />} /> : null}
      {sales.isError && !need ? (
        <InlineError
          title="Figures could not be loaded"
          message={reasonOf(sales.error)}
          retrying={sales.isFetching}
          onRetry={() => void sales.refetch()}
        />
      ) : null}
      {sales.isPending && !sales.isError ? (
        <Loading label="Loading figures">
          <Skeleton className="h-64 rounded-md" />
        </Loading>
      ) : null}
      {sales.data?.count === 0 ? <EmptyState icon={<ChartNoAxesColumn size={24} />} title={none} /> : null}
      {sales.data && sales.data.count > 0 ? <Figures title={title} sales={sales.data} /> : null}
    </Dialog>
  )
}

function Figures({ title, sales }: { title: string; sales: SalesAnalytics }) {
  const figures = [
    { label: 'Deals', value: formatNumber(sales.count) },
    { label: 'Total', value: formatMoney(sales.total) },
    { label: 'Average', value: formatMoney(Math.round(sales.average)) },
  ]
  return (
    <div className="space-y-4">
      <dl className="grid grid-cols-3 gap-2">
        {figures.map(({ label, value }) => (
          <div key={label} className="rounded-md border border-line bg-sunken p-3">
            <dt className="text-xs text-ink-2">{label}</dt>
            <dd className="num truncate text-lg font-semibold tracking-lg max-md:text-md">{value}</dd>
          </div>
        ))}
      </dl>
      <MonthBars months={sales.months} />
      <div className="overflow-hidden rounded-md border border-line">
        <Table caption={`${title}, newest first`} columns={columns} rows={sales.deals} rowKey={(deal) => deal.id} />
      </div>
    </div>
  )
}
