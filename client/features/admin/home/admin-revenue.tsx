import { cx } from '#client/ui/cx.ts'
import { Card, CardHeader } from '#client/ui/card.tsx'
import { formatMoney, formatNumber } from '#client/ui/format.ts'
import { type Column, Table } from '#client/ui/table.tsx'

interface Share {
  id: string
  name: string
  users: number
  price: number
  revenue: number
  share: number
}

const fills = ['bg-accent', 'bg-sold', 'bg-control', 'bg-warning'] as const

export function RevenueDistribution({ rows }: { rows: readonly Share[] }) {
  const sorted = rows.toSorted((a, b) => b.revenue - a.revenue)
  const fill = (id: string) => fills[sorted.findIndex((row) => row.id === id) % fills.length]
  const columns: readonly Column<Share>[] = [
    {
      key: 'plan',
      title: 'Plan or add-on',
      cell: ({ id, name }) => (
        <span className="flex items-center gap-2 font-medium">
          <span aria-hidden="true" className={cx('size-2.5 rounded-xs', fill(id))} />
          {name}
        </span>
      ),
    },
    { key: 'users', title: 'Users', align: 'right', cell: ({ users }) => formatNumber(users) },
    { key: 'price', title: 'Price', align: 'right', cell: ({ price }) => formatMoney(price) },
    {
      key: 'revenue',
      title: 'Revenue',
      align: 'right',
      cell: ({ revenue }) => <span className="font-semibold">{formatMoney(revenue)}</span>,
    },
    { key: 'share', title: 'Share', align: 'right', cell: ({ share }) => `${share.toFixed(1)}%` },
  ]
  return (
    <Card>
      <CardHeader title="Revenue distribution">
        <span className="text-xs text-ink-2">Monthly</span>
      </CardHeader>
      <div aria-hidden="true" className="mx-4 mt-1 mb-4 flex h-3 gap-0.5 overflow-hidden rounded-sm bg-pressed">
        {sorted.map(({ id, share }) => (
          <span key={id} className={fill(id)} style={{ width: `${share}%` }} />
        ))}
      </div>
      <Table caption="Revenue by plan and add-on" columns={columns} rows={sorted} rowKey={({ id }) => id} />
    </Card>
  )
}
