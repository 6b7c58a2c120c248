import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import type { OpsOverview, QueueFigures } from '#shared/schemas/ops.ts'
import { useView } from '#client/lib/live/room-views.ts'
import { Card, CardHeader } from '#client/ui/card.tsx'
import { QueryState } from '#client/ui/query-state.tsx'
import { SkeletonRows } from '#client/ui/skeleton.tsx'
import { type Column, Table } from '#client/ui/table.tsx'
import { opsQuery } from './ops.api.ts'
import { QueueName, quiet } from './ops-queue-cells.tsx'
import { Sparkline } from './ops-sparkline.tsx'

const columns = (throughput: OpsOverview['throughput']): readonly Column<QueueFigures>[] => [
  { key: 'name', title: 'Queue', cell: (queue) => <QueueName queue={queue} /> },
  { key: 'waiting', title: 'Waiting', align: 'right', cell: ({ waiting }) => quiet(waiting) },
  {
    key: 'failed',
    title: 'Failed',
    align: 'right',
    cell: ({ failed }) => quiet(failed, 'font-semibold text-danger-ink'),
  },
  {
    key: 'hour',
    title: 'Last hour',
    cell: ({ name, state }) => (
      <Sparkline
        width={88}
        points={throughput[name] ?? []}
        failing={state === 'failing'}
        label={`Throughput of ${name}`}
      />
    ),
  },
]

export function OpsSummary() {
  const overview = useQuery(opsQuery('1h'))
  useView('ops', '')
  return (
    <Card>
      <CardHeader title="Queues">
        <Link href="/admin/queues" className="inline-flex items-center text-accent-ink hover:underline max-md:min-h-11">
          Open dashboard
        </Link>
      </CardHeader>
      <QueryState query={overview} failure="The queues could not be loaded" label="Loading queues" className="p-4">
        <SkeletonRows rows={5} />
      </QueryState>
      {overview.data ? (
        <Table
          caption="Queue summary"
          columns={columns(overview.data.throughput)}
          rows={overview.data.figures.queues}
          rowKey={({ name }) => name}
          empty={<p className="p-4 text-danger-ink">Queue status unavailable: Redis is not responding.</p>}
        />
      ) : null}
    </Card>
  )
}
