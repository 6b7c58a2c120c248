import { useQuery } from '@tanstack/react-query'
import { opsRanges } from '#shared/constants/ops.ts'
import type { OpsOverview, OpsRange } from '#shared/schemas/ops.ts'
import { useConnection } from '#client/lib/live/connection.ts'
import { useView } from '#client/lib/live/room-views.ts'
import { Dot } from '#client/ui/badge.tsx'
import { Card } from '#client/ui/card.tsx'
import { Figures } from '#client/ui/figures.tsx'
import { formatClock, formatNumber, plural } from '#client/ui/format.ts'
import { QueryError } from '#client/ui/query-state.tsx'
import { Segmented } from '#client/ui/segmented.tsx'
import { Loading, SkeletonRows } from '#client/ui/skeleton.tsx'
import { opsQuery } from './ops.api.ts'
import { FailedJobsCard } from './ops-failed-jobs.tsx'
import { OpsNodes } from './ops-nodes.tsx'
import { formatJobTime } from './ops-queue-cells.tsx'
import { QueueTable } from './ops-queue-table.tsx'

const rangeLabels: Record<OpsRange, string> = { '15m': '15 min', '1h': '1 h', '24h': '24 h' }
const periods: Record<OpsRange, string> = {
  '15m': 'Last 15 minutes, one point per minute',
  '1h': 'Last hour, one point per minute',
  '24h': 'Last day, one point per 24 minutes',
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
const highest = (values: readonly (number | null)[]) => {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : Math.max(...known)
}

const unknown = ['Throughput', 'Waiting', 'Active', 'Failed', 'Delayed', 'Completed'].map((label) => ({
  label,
  value: '–',
  note: 'Unknown',
}))

function Totals({ overview, range }: { overview: OpsOverview; range: OpsRange }) {
  const { queues } = overview.figures
  // There is always at least one queue. An empty list means that Redis is not responding.
  if (queues.length === 0) return <Figures label="Totals" figures={unknown} />
  const oldest = highest(queues.map(({ oldestMs }) => oldestMs))
  const failed = sum(queues.map((queue) => queue.failed))
  const worst = queues.toSorted((a, b) => b.failed - a.failed)[0]
  return (
    <Figures
      label="Totals"
      figures={[
        {
          label: 'Throughput',
          value: formatNumber(sum(queues.map(({ perMinute }) => perMinute))),
          unit: 'jobs / min',
          note: `slowest p95 ${formatJobTime(highest(queues.map(({ p95Ms }) => p95Ms)))}`,
        },
        {
          label: 'Waiting',
          value: formatNumber(sum(queues.map(({ waiting }) => waiting))),
          note: oldest === null ? 'Nothing waiting' : `Oldest ${formatClock(oldest / 1_000)}`,
        },
        {
          label: 'Active',
          value: formatNumber(sum(queues.map(({ active }) => active))),
          note: plural(sum(queues.map(({ workers }) => workers)), 'worker'),
        },
        {
          label: 'Failed',
          value: formatNumber(failed),
          note: failed > 0 && worst ? `${worst.failed} in ${worst.name}` : 'None',
          ...(failed > 0 && { tone: 'danger' as const }),
        },
        { label: 'Delayed', value: formatNumber(sum(queues.map(({ delayed }) => delayed))), note: 'Due later' },
        { label: 'Completed', value: formatNumber(overview.completed), note: `Last ${rangeLabels[range]}` },
      ]}
    />
  )
}

export function OpsHeader({ range, onRange }: { range: OpsRange; onRange: (range: OpsRange) => void }) {
  const live = useConnection() === 'live'
  return (
    <div className="flex flex-wrap items-center gap-3">
      <span role="status" className="inline-flex items-center gap-2 text-ink-2">
        <Dot tone={live ? 'ok' : 'warning'} />
        {live ? 'Live, updated every second' : 'Reconnecting, updated every minute'}
      </span>
      <a
        href="/admin/queues/board"
        target="_blank"
        rel="noreferrer"
        className="inline-flex items-center text-accent-ink hover:underline max-md:min-h-11"
      >
        Job board
      </a>
      <Segmented
        label="Period"
        value={range}
        onChange={onRange}
        options={opsRanges.map((value) => ({ value, label: rangeLabels[value] }))}
      />
    </div>
  )
}

export function OpsQueues({ range }: { range: OpsRange }) {
  const overview = useQuery(opsQuery(range))
  useView('ops', '')
  return (
    <div className="space-y-3">
      <QueryError query={overview} failure="The queues could not be loaded" className="max-md:px-4" />
      {overview.data ? (
        <>
          <Totals overview={overview.data} range={range} />
          <QueueTable overview={overview.data} period={periods[range]} />
          <FailedJobsCard queues={overview.data.figures.queues.map(({ name }) => name)} />
          <OpsNodes figures={overview.data.figures} />
        </>
      ) : null}
      {overview.data || overview.error ? null : (
        <Loading label="Loading queues">
          <Card className="p-4">
            <SkeletonRows rows={8} />
          </Card>
        </Loading>
      )}
    </div>
  )
}
