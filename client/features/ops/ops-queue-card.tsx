import type { QueueFigures } from '#shared/schemas/ops.ts'
import { Badge } from '#client/ui/badge.tsx'
import { formatClock } from '#client/ui/format.ts'
import { formatJobTime, PauseButton, QueueName, quiet, states } from './ops-queue-cells.tsx'
import { Sparkline } from './ops-sparkline.tsx'

interface QueueCardProps {
  queue: QueueFigures
  points: readonly number[]
}

export function QueueCard({ queue, points }: QueueCardProps) {
  const { name, state, why, oldestMs } = queue
  const figures = [
    ['Waiting', quiet(queue.waiting)],
    ['Active', quiet(queue.active)],
    ['Failed', quiet(queue.failed, 'font-semibold text-danger-ink')],
    ['Delayed', quiet(queue.delayed)],
    ['Jobs / min', quiet(queue.perMinute)],
    ['p95', formatJobTime(queue.p95Ms)],
    ['Oldest', oldestMs === null ? '–' : formatClock(oldestMs / 1_000)],
    ['Workers', quiet(queue.workers)],
  ] as const
  return (
    <>
      <div className="flex items-center gap-2">
        <h3 className="mr-auto">
          <QueueName queue={queue} />
        </h3>
        <Badge tone={states[state].tone}>{states[state].label}</Badge>
        <span className="-mr-3">
          <PauseButton queue={queue} />
        </span>
      </div>
      {state === 'healthy' ? null : <p className="mb-2 text-xs text-ink-2">{why}</p>}
      <Sparkline width="full" points={points} failing={state === 'failing'} label={`Throughput of ${name}`} />
      <dl className="mt-2 grid grid-cols-4 gap-x-3 gap-y-2">
        {figures.map(([label, value]) => (
          <div key={label}>
            <dt className="text-xs whitespace-nowrap text-ink-2">{label}</dt>
            <dd className="num">{value}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}
