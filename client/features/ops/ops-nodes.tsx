import type { NodeFigures, OpsFigures } from '#shared/schemas/ops.ts'
import { Badge } from '#client/ui/badge.tsx'
import { Card, CardHeader, KeyValue } from '#client/ui/card.tsx'
import { formatClock, formatNumber, plural } from '#client/ui/format.ts'
import { type Column, Table } from '#client/ui/table.tsx'

const poolOf = ({ pool }: NodeFigures) =>
  `${formatNumber(pool.total - pool.idle)} of ${formatNumber(pool.total)} busy${pool.waiting > 0 ? `, ${formatNumber(pool.waiting)} waiting` : ''}`

/** A dash means that the node does not serve searches. */
function findOf({ find }: NodeFigures): string {
  if (find === undefined) return '–'
  if (find.state === 'loading') return 'Loading'
  if (find.state === 'off') return 'Not loaded yet'
  const age = find.ageMs === null ? '' : `, ${formatClock(find.ageMs / 1_000)} old`
  const memory = find.memoryMb === null ? '' : `, ${formatNumber(find.memoryMb)} MB`
  return `${plural(find.vehicles, 'vehicle')}${age}${memory}`
}

const State = ({ silent }: NodeFigures) => (
  <Badge tone={silent ? 'danger' : 'success'}>{silent ? 'Not reporting' : 'Reporting'}</Badge>
)

const columns: readonly Column<NodeFigures>[] = [
  { key: 'node', title: 'Process', cell: ({ node }) => <span className="font-mono text-xs">{node}</span> },
  { key: 'roles', title: 'Roles', cell: ({ roles }) => roles },
  { key: 'sockets', title: 'Sockets', align: 'right', cell: ({ sockets }) => formatNumber(sockets) },
  { key: 'rooms', title: 'Rooms', align: 'right', cell: ({ rooms }) => formatNumber(rooms) },
  { key: 'loop', title: 'Event loop p99', align: 'right', cell: ({ loopP99Ms }) => `${loopP99Ms} ms` },
  { key: 'pool', title: 'Database', align: 'right', cell: poolOf },
  { key: 'find', title: 'Find', cell: findOf },
  { key: 'memory', title: 'Memory', align: 'right', cell: ({ memoryMb }) => `${formatNumber(memoryMb)} MB` },
  { key: 'state', title: 'Status', cell: State },
]

function NodeCard({ node }: { node: NodeFigures }) {
  return (
    <>
      <p className="mb-1 flex items-center justify-between gap-2">
        <span className="font-mono text-xs">{node.node}</span>
        <State {...node} />
      </p>
      <dl>
        <KeyValue label="Roles">{node.roles}</KeyValue>
        <KeyValue label="Sockets, rooms">
          {formatNumber(node.sockets)}, {formatNumber(node.rooms)}
        </KeyValue>
        <KeyValue label="Event loop p99">{node.loopP99Ms} ms</KeyValue>
        <KeyValue label="Database">{poolOf(node)}</KeyValue>
        <KeyValue label="Find">{findOf(node)}</KeyValue>
        <KeyValue label="Memory">{formatNumber(node.memoryMb)} MB</KeyValue>
      </dl>
    </>
  )
}

export function OpsNodes({ figures: { nodes, outbox, redis, liveAuctions } }: { figures: OpsFigures }) {
  const late = outbox.oldestMs === null ? 'none late' : `oldest ${formatClock(outbox.oldestMs / 1_000)}`
  return (
    <Card>
      <CardHeader title="Processes">
        <span className="text-right text-xs text-ink-2">
          Redis {redis.ok ? `${redis.memoryMb ?? 0} MB` : 'is not responding'} · Outbox {outbox.due} due, {late} ·{' '}
          {plural(liveAuctions, 'live auction')}
        </span>
      </CardHeader>
      <Table
        caption="Processes"
        columns={columns}
        rows={nodes}
        rowKey={({ node }) => node}
        empty={<p className="p-4 text-danger-ink">No processes are reporting: Redis is not responding.</p>}
        card={(node) => <NodeCard node={node} />}
      />
    </Card>
  )
}
