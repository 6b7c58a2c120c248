import type { Invoice } from '#shared/schemas/billing.ts'
import { Badge } from '#client/ui/badge.tsx'
import { Card, CardHeader } from '#client/ui/card.tsx'
import { formatDate, formatMoney } from '#client/ui/format.ts'
import { Table, type Column } from '#client/ui/table.tsx'

const columns: readonly Column<Invoice>[] = [
  { key: 'date', title: 'Date', cell: ({ date }) => <span className="whitespace-nowrap">{formatDate(date)}</span> },
  { key: 'number', title: 'Invoice', cell: ({ number }) => number, wideOnly: true },
  { key: 'description', title: 'For', cell: ({ description }) => description },
  {
    key: 'status',
    title: 'Status',
    cell: ({ status }) => (status === 'paid' ? <Badge tone="success">Paid</Badge> : <Badge tone="danger">Open</Badge>),
  },
  { key: 'amount', title: 'Amount', align: 'right', cell: ({ amount }) => formatMoney(amount, 'exact') },
]

export function BillingHistory({ invoices }: { invoices: readonly Invoice[] }) {
  return (
    <Card aria-label="Billing History">
      <CardHeader title="Billing History" />
      <Table caption="Invoices, newest first" columns={columns} rows={invoices} rowKey={({ id }) => id} />
    </Card>
  )
}
