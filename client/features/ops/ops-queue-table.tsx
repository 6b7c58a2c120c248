import { Pause, Play } from 'lucide-react'
import type { OpsOverview, QueueFigures, QueueState } from '#shared/schemas/ops.ts'
import { Badge, type BadgeTone } from '#client/ui/badge.tsx'
import { Card, CardHeader } from '#client/ui/card.tsx'
import { cx } from '#client/ui/cx.ts'
import { formatClock, formatNumber } from '#client/ui/format.ts'
import { IconButton } from '#client/ui/icon-button.tsx'
import { type Column, Table } from '#client/ui/table.tsx'
import { Tooltip } from '#client/ui/tooltip.tsx'
import { usePauseQueue } from './ops.api.ts'
import { Sparkline } from './ops-sparkline.tsx'

const states: Record<QueueState, { label: string; tone: BadgeTone }> = {
  healthy: { label: 'Healthy', tone: 'success' },
  backlog: { label: 'Backlog', tone: 'warning' },
  failing: { label: 'Failing', tone: 'danger' },
  paused: { label: 'Paused', tone: 'neutral' },
  no_workers: { label: 'No workers', tone: 'danger' },
}

const quiet = (value: number, alarm = '') => (
  <span className={cx(value === 0 ? 'text-ink-3' : alarm)}>{formatNumber(value)}</span>
)

export function formatDuration(ms: number | null): string {
  if (ms === null) return '–'
  return ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`
}

function columns(
  throughput: OpsOverview['throughput'],
  setPaused: (name: string, pause: boolean) => void,
): readonly Column<QueueFigures>[] {
  return [
    { key: 'name', title: 'Queue', cell: ({ name }) => <span className="font-semibold">{name}</span> },
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
      wideOnly: true,
      cell: ({ name, state }) => (
        <Sparkline points={throughput[name] ?? []} failing={state === 'failing'} label={`Throughput of ${name}`} />
      ),
    },
    { key: 'rate', title: 'Jobs / min', align: 'right', cell: ({ perMinute }) => quiet(perMinute) },
    { key: 'p95', title: 'p95', align: 'right', cell: ({ p95Ms }) => formatDuration(p95Ms) },
    {
      key: 'oldest',
      title: 'Oldest',
      align: 'right',
      cell: ({ oldestMs }) => (oldestMs === null ? '–' : formatClock(oldestMs / 1_000)),
    },
    { key: 'workers', title: 'Workers', align: 'right', cell: ({ workers }) => quiet(workers) },
    {
      key: 'state',
      title: 'State',
      cell: ({ state, why }) => (
        <Tooltip text={why}>
          <button type="button" className="rounded-sm">
            <Badge tone={states[state].tone}>{states[state].label}</Badge>
          </button>
        </Tooltip>
      ),
    },
    {
      key: 'pause',
      title: 'Pause or resume',
      hideTitle: true,
      align: 'right',
      cell: ({ name, paused }) => (
        <IconButton
          size="sm"
          label={paused ? `Resume ${name}` : `Pause ${name}`}
          icon={paused ? <Play size={16} /> : <Pause size={16} />}
          onClick={() => setPaused(name, !paused)}
        />
      ),
    },
  ]
}

/** One row per queue, always in the same order. Each alarm says in words what is wrong. */
export function QueueTable({ overview, period }: { overview: OpsOverview; period: string }) {
  const pause = usePauseQueue()
  const { queues } = overview.figures
  const alarms = queues.filter(({ state }) => state !== 'healthy')
  return (
    <Card>
      <CardHeader title="All queues">
        <span className="text-xs text-ink-2">{period}</span>
      </CardHeader>
      <Table
        caption="Queues"
        columns={columns(overview.throughput, (name, paused) => pause.mutate({ name, pause: paused }))}
        rows={queues}
        rowKey={({ name }) => name}
        empty={<p className="p-4 text-danger-ink">Redis does not answer: nothing is known about the queues.</p>}
      />
      {alarms.length > 0 ? (
        <ul className="border-t border-line px-4 py-2 text-xs text-ink-2">
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
