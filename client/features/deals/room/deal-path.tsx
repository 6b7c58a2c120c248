import Check from 'lucide-react/icons/check'
import X from 'lucide-react/icons/x'
import { cx } from '#client/ui/cx.ts'
import { formatDateTime, formatMonthDay } from '#client/ui/format.ts'
import type { DealDetail } from '#shared/schemas/deals.ts'
import { pathOf, type PathStep, type Turn, turnOf } from './path-steps.ts'

const markers: Record<PathStep['state'], string> = {
  done: 'border-success bg-success text-on-solid',
  current: 'border-accent bg-surface text-accent-ink',
  coming: 'border-line-strong bg-surface',
  stopped: 'border-expired bg-expired text-on-solid',
}

export function DealPath({ deal, otherName }: { deal: DealDetail; otherName: string }) {
  const path = pathOf(deal)
  return (
    <ol aria-label="Deal progress" className="grid grid-cols-5 px-2 py-3">
      {path.map((step, index) => (
        <li
          key={step.label}
          aria-current={step.state === 'current' ? 'step' : undefined}
          className={cx(
            'relative flex min-w-0 flex-col items-center gap-1 px-1 text-center',
            index > 0 &&
              'before:absolute before:top-3 before:right-[calc(50%+0.875rem)] before:left-[calc(-50%+0.875rem)] before:h-px forced-colors:before:bg-[CanvasText]',
            index > 0 && (step.state === 'done' ? 'before:bg-success' : 'before:bg-line-strong'),
          )}
        >
          <Marker state={step.state} />
          <span className={cx('text-xs font-semibold', step.state === 'coming' && 'font-medium text-ink-3')}>
            {step.label}
            <span className="sr-only">: {stateLabels[step.state]}</span>
          </span>
          <span className="min-h-4 w-full truncate text-xs text-ink-2">
            <StepNote step={step} turn={turnOf(deal)} otherName={otherName} />
          </span>
        </li>
      ))}
    </ol>
  )
}

const stateLabels: Record<PathStep['state'], string> = {
  done: 'done',
  current: 'now',
  coming: 'not yet',
  stopped: 'not reached',
}

function Marker({ state }: { state: PathStep['state'] }) {
  return (
    <span
      aria-hidden="true"
      className={cx(
        'relative grid size-6 flex-none place-items-center rounded-full border-2 forced-colors:border-[CanvasText]',
        markers[state],
      )}
    >
      {state === 'done' ? <Check size={14} strokeWidth={3} /> : null}
      {state === 'stopped' ? <X size={14} strokeWidth={3} /> : null}
      {state === 'current' ? <span className="size-2 rounded-full bg-accent forced-colors:bg-[CanvasText]" /> : null}
    </span>
  )
}

const turnLabels: Record<Turn, (otherName: string) => string> = {
  you: () => 'You',
  other: (name) => name,
  both: () => 'Both of you',
  held: () => 'On hold',
  nobody: () => '',
}

function StepNote({ step, turn, otherName }: { step: PathStep; turn: Turn; otherName: string }) {
  if (step.state === 'current') return turnLabels[turn](otherName)
  if (step.at === null) return step.state === 'stopped' ? 'Cancelled' : null
  return (
    <>
      {step.state === 'stopped' ? 'Cancelled ' : null}
      <time dateTime={step.at} title={formatDateTime(step.at)} className="num">
        {formatMonthDay(step.at)}
      </time>
    </>
  )
}
