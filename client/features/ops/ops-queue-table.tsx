import type { OpsOverview, QueueFigures } from '#shared/schemas/ops.ts'
import { Card, CardHeader } from '#client/ui/card.tsx'
import { formatClock } from '#client/ui/format.ts'
import { type Column, Table } from '#client/ui/table.tsx'
import { QueueCard } from './ops-queue-card.tsx'
import { formatJobTime, PauseButton, QueueName, QueueStateBadge, quiet, states } from './ops-queue-cells.tsx'
import { Sparkline } from './ops-sparkline.tsx'

function columns(throughput: OpsOverview['throughput']): readonly Column<QueueFigures>[] {
  return [
    { key: 'name', title: 'Queue', cell: (queue) => <QueueName queue={queue} /> },
    { key: 'waiting', title: 'Waiting', align: 'right', cell: ({ waiting }) => quiet(waiting) },
    { key: 'active', title: 'Active', align: 'right', cell: ({ active }) => quiet(active) },
    {
      key: 'failed',
      title: 'Failed',
      align: 'right',
      cell: ({ failed }) => quiet(failed, 'font-semibold text-danger-ink'),
    },
    { key: 'delayed', title: 'Delayed', align: 'right', cell: ({ delayed }) => quiet(delayed) },
    {
      key: 'throughput',
      title: 'Throughput',
      cell: ({ name, state }) => (
        <Sparkline points={throughput[name] ?? []} failing={state === 'failing'} label={`Throughput of ${name}`} />
      ),
    },
    { key: 'rate', title: 'Jobs / min', align: 'right', cell: ({ perMinute }) => quiet(perMinute) },
    { key: 'p95', title: 'p95', align: 'right', cell: ({ p95Ms }) => formatJobTime(p95Ms) },
    {
      key: 'oldest',
      title: 'Oldest',
      align: 'right',
      cell: ({ oldestMs }) => (oldestMs === null ? '–' : formatClock(oldestMs / 1_000)),
    },
    { key: 'workers', title: 'Workers', align: 'right', cell: ({ workers }) => quiet(workers) },
    { key: 'state', title: 'Status', cell: (queue) => <QueueStateBadge queue={queue} /> },
    {
      key: 'pause',
      title: 'Pause or resume',
      hideTitle: true,
      align: 'right',
      cell: (queue) => <PauseButton queue={queue} />,
    },
  ]
}

export function QueueTable({ overview, period }: { overview: OpsOverview; period: string }) {
  const { queues } = overview.figures
  const alarms = queues.filter(({ state }) => state !== 'healthy')
  return (
    <Card>
      <CardHeader title="All queues">
        <span className="text-xs text-ink-2">{period}</span>
      </CardHeader>
      <Table
        caption="Queues"
        columns={columns(overview.throughput)}
        rows={queues}
        rowKey={({ name }) => name}
        card={(queue) => <QueueCard queue={queue} points={overview.throughput[queue.name] ?? []} />}
        empty={<p className="p-4 text-danger-ink">Queue status unavailable: Redis is not responding.</p>}
      />
      {alarms.length > 0 ? (
        <ul className="border-t border-line px-4 py-2 text-xs text-ink-2 max-md:hidden">
          {alarms.map(({ name, state, why }) => (
            <li key={name} className="py-0.5">
              <span className="font-semibold text-ink">{name}</span> ({states[state].label.toLowerCase()}): {why}
            </li>
          ))}
        </ul>
      ) : null}
    </Card>
  )
}
