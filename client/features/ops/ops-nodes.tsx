import type { NodeFigures, OpsFigures } from '#shared/schemas/ops.ts'
import { Badge } from '#client/ui/badge.tsx'
import { Card, CardHeader } from '#client/ui/card.tsx'
import { formatClock, formatNumber } from '#client/ui/format.ts'
import { type Column, Table } from '#client/ui/table.tsx'

const columns: readonly Column<NodeFigures>[] = [
  { key: 'node', title: 'Process', cell: ({ node }) => <span className="font-mono text-xs">{node}</span> },
  { key: 'roles', title: 'Roles', cell: ({ roles }) => roles },
  { key: 'sockets', title: 'Sockets', align: 'right', cell: ({ sockets }) => formatNumber(sockets) },
  { key: 'rooms', title: 'Rooms', align: 'right', cell: ({ rooms }) => formatNumber(rooms) },
  { key: 'loop', title: 'Event loop p99', align: 'right', cell: ({ loopP99Ms }) => `${loopP99Ms} ms` },
  {
    key: 'pool',
    title: 'Database',
    align: 'right',
    cell: ({ pool }) =>
      `${pool.total - pool.idle} of ${pool.total} busy${pool.waiting > 0 ? `, ${pool.waiting} wait` : ''}`,
  },
  { key: 'memory', title: 'Memory', align: 'right', cell: ({ memoryMb }) => `${formatNumber(memoryMb)} MB` },
  {
    key: 'state',
    title: 'State',
    cell: ({ silent }) => <Badge tone={silent ? 'danger' : 'success'}>{silent ? 'Silent' : 'Reporting'}</Badge>,
  },
]

/** The processes that serve the network, and what they stand on. */
export function OpsNodes({ figures: { nodes, outbox, redis, liveAuctions } }: { figures: OpsFigures }) {
  const late = outbox.oldestMs === null ? 'none late' : `oldest ${formatClock(outbox.oldestMs / 1_000)}`
  return (
    <Card>
      <CardHeader title="Processes">
        <span className="text-xs text-ink-2">
          Redis {redis.ok ? `${redis.memoryMb ?? 0} MB` : 'does not answer'} · Outbox {outbox.due} due, {late} ·{' '}
          {liveAuctions} live auctions
        </span>
      </CardHeader>
      <Table caption="Processes" columns={columns} rows={nodes} rowKey={({ node }) => node} />
    </Card>
  )
}
