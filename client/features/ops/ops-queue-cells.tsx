import Pause from 'lucide-react/icons/pause'
import Play from 'lucide-react/icons/play'
import type { ComponentProps } from 'react'
import type { QueueFigures, QueueState } from '#shared/schemas/ops.ts'
import { Badge, type BadgeTone, Dot } from '#client/ui/badge.tsx'
import { cx } from '#client/ui/cx.ts'
import { formatNumber } from '#client/ui/format.ts'
import { IconButton } from '#client/ui/icon-button.tsx'
import { usePauseQueue } from './ops.api.ts'

export const states: Record<QueueState, { label: string; tone: BadgeTone; dot: ComponentProps<typeof Dot>['tone'] }> = {
  healthy: { label: 'Healthy', tone: 'success', dot: 'ok' },
  backlog: { label: 'Backlog', tone: 'warning', dot: 'warning' },
  failing: { label: 'Failing', tone: 'danger', dot: 'danger' },
  paused: { label: 'Paused', tone: 'neutral', dot: 'off' },
  no_workers: { label: 'No workers', tone: 'danger', dot: 'danger' },
}

/** The dot is decorative, because the badge or the alarm below states the same in words. */
export function QueueName({ queue: { name, state } }: { queue: QueueFigures }) {
  return (
    <span className="flex items-center gap-2 font-semibold">
      <Dot tone={states[state].dot} />
      {name}
    </span>
  )
}

export const quiet = (value: number, alarm = '') => (
  <span className={cx(value === 0 ? 'text-ink-3' : alarm)}>{formatNumber(value)}</span>
)

export function formatJobTime(ms: number | null): string {
  if (ms === null) return '–'
  return ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`
}

export function QueueStateBadge({ queue: { state, why } }: { queue: QueueFigures }) {
  return (
    <button type="button" data-tooltip={why} className="rounded-sm">
      <Badge tone={states[state].tone}>{states[state].label}</Badge>
    </button>
  )
}

export function PauseButton({ queue: { name, paused } }: { queue: QueueFigures }) {
  const pause = usePauseQueue()
  return (
    <IconButton
      size="sm"
      label={paused ? `Resume ${name}` : `Pause ${name}`}
      icon={paused ? <Play size={16} /> : <Pause size={16} />}
      disabled={pause.isPending}
      onClick={() => pause.mutate({ name, pause: !paused })}
    />
  )
}
