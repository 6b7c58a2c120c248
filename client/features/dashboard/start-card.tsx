import { useQuery, useQueryClient } from '@tanstack/react-query'
import CircleCheck from 'lucide-react/icons/circle-check'
import { type ReactNode, useEffect } from 'react'
import { useCurrentDealer } from '#client/lib/session/current-dealer.ts'
import { onOwnChange } from '#client/lib/own-changes.ts'
import { Button } from '#client/ui/button.tsx'
import { ButtonLink } from '#client/ui/button-link.tsx'
import { Card } from '#client/ui/card.tsx'
import { cx } from '#client/ui/cx.ts'
import { startConnections } from '#shared/constants/dashboard.ts'
import type { StartSteps } from '#shared/schemas/dashboard.ts'
import { startQuery } from './dashboard.api.ts'

interface StartCardProps {
  onPost: () => void
}

/** Shows a new dealer's first steps. The card disappears once all steps are done. */
export function StartCard({ onPost }: StartCardProps) {
  const cache = useQueryClient()
  const { data } = useQuery(startQuery())
  const isNew = Boolean(data)
  useEffect(() => {
    if (!isNew) return
    return onOwnChange(cache, () => void cache.invalidateQueries({ queryKey: startQuery().queryKey }))
  }, [cache, isNew])
  return data ? <Steps steps={data} onPost={onPost} /> : null
}

interface Step {
  title: string
  hint: string
  done: boolean
  action: ReactNode
}

function stepsOf({ posted, connected, wanted }: NonNullable<StartSteps>, state: string, onPost: () => void): Step[] {
  const isConnected = connected >= startConnections
  const next = [posted, isConnected, wanted].indexOf(false)
  const variant = (place: number) => (place === next ? 'primary' : 'secondary')
  return [
    {
      title: 'Post one vehicle by VIN',
      hint: 'The VIN fills in year, make and often the model.',
      done: posted,
      action: (
        <Button variant={variant(0)} onClick={onPost}>
          Post a vehicle
        </Button>
      ),
    },
    {
      title: 'Connect with three dealers near you',
      hint: connected === 0 ? 'Build the network you trade with.' : `${connected} of ${startConnections} so far.`,
      done: isConnected,
      action: (
        <ButtonLink variant={variant(1)} href={state ? `/discover?state=${state}` : '/discover'}>
          Find dealers
        </ButtonLink>
      ),
    },
    {
      title: 'Tell sellers what you buy',
      hint: 'A buy order notifies you when a matching vehicle is posted.',
      done: wanted,
      action: (
        <ButtonLink variant={variant(2)} href="/wanted?order=new">
          New buy order
        </ButtonLink>
      ),
    },
  ]
}

function Steps({ steps, onPost }: StartCardProps & { steps: NonNullable<StartSteps> }) {
  const { state } = useCurrentDealer()
  return (
    <Card aria-labelledby="first-steps" className="mb-4 p-4 max-md:mb-2">
      <h2 id="first-steps" className="text-md font-semibold">
        Three steps to start
      </h2>
      <ol className="mt-2 divide-y divide-line">
        {stepsOf(steps, state, onPost).map((step, index) => (
          <StepRow key={step.title} step={step} place={index + 1} />
        ))}
      </ol>
    </Card>
  )
}

function StepRow({ step: { title, hint, done, action }, place }: { step: Step; place: number }) {
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 py-3 last:pb-0">
      {done ? (
        <CircleCheck size={24} aria-hidden="true" className="flex-none text-success-ink" />
      ) : (
        <span
          aria-hidden="true"
          className="num inline-flex size-6 flex-none items-center justify-center rounded-full border border-control text-xs font-semibold text-ink-2"
        >
          {place}
        </span>
      )}
      <div className="min-w-0 flex-1">
        <p className={cx('font-medium', done && 'text-ink-2')}>
          {title}
          {done ? <span className="sr-only">, done</span> : null}
        </p>
        <p className="text-xs text-ink-2">{done ? 'Done' : hint}</p>
      </div>
      {done ? null : action}
    </li>
  )
}
