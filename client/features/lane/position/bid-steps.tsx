import { type ReactNode, useState } from 'react'
import { armedMs, kindFor } from '#client/lib/auction/bid-arming.ts'
import { type Bidding, bidStepsOf } from '#client/lib/auction/bidding.ts'
import { isPressed, keys, refuseRepeats } from '#client/lib/keys/shortcuts.ts'
import { useServerTime } from '#client/lib/live/server-clock.ts'
import { faultOfAmount, typedAmount } from '#client/lib/form/typed-amount.ts'
import { BidNotice } from '#client/ui/bid-question.tsx'
import { Button } from '#client/ui/button.tsx'
import { cx } from '#client/ui/cx.ts'
import { formatMoney } from '#client/ui/format.ts'
import { Input } from '#client/ui/input.tsx'
import { Kbd } from '#client/ui/kbd.tsx'
import { Spinner } from '#client/ui/spinner.tsx'
import type { Auction } from '#shared/schemas/auctions.ts'

/** Returns the steps for the three bid buttons of a grid position: the first step and the two largest. */
export function stepsOf(auction: Auction) {
  const steps = bidStepsOf(auction)
  return [steps[0], ...steps.slice(-2)].filter((step) => step !== undefined)
}

interface BidStepsProps {
  auction: Auction
  bidding: Bidding
  blocked: string | undefined
  /** Replaces the first button's text while the button is disabled. */
  words?: string | undefined
  hasKeys: boolean
  onPress: () => void
  tall?: boolean
}

export function BidSteps({ auction, bidding, blocked, words, hasKeys, onPress, tall = false }: BidStepsProps) {
  const kind = kindFor(auction)
  const { armed, placing } = bidding
  return (
    <div
      role="group"
      aria-label={kind === 'max' ? 'Raise your maximum' : 'Place a bid'}
      className={cx('grid gap-1.5', tall ? 'grid-cols-3 gap-2' : 'grid-cols-[minmax(0,1fr)_4.5rem_4.5rem]')}
    >
      {stepsOf(auction).map((step, index) => {
        const isArmed = armed?.at === step.label
        const total = isArmed ? armed.total : step.total
        return (
          <StepButton
            key={index}
            index={index}
            label={step.label}
            total={total}
            kind={kind}
            words={index === 0 ? words : undefined}
            isArmed={isArmed}
            isPlacing={placing === total}
            isBlocked={blocked !== undefined || (placing !== undefined && placing !== total)}
            isStrong={index === 0 && kind === 'bid' && armed === undefined && blocked === undefined}
            hasKeys={hasKeys}
            tall={tall}
            title={blocked}
            onPress={() => {
              onPress()
              bidding.press({ total, at: step.label })
            }}
          />
        )
      })}
    </div>
  )
}

interface StepButtonProps {
  index: number
  label: string
  total: number
  kind: 'bid' | 'max'
  words: string | undefined
  isArmed: boolean
  isPlacing: boolean
  isBlocked: boolean
  isStrong: boolean
  hasKeys: boolean
  tall: boolean
  title: string | undefined
  onPress: () => void
}

const stepLooks = {
  armed: 'border-inverse bg-inverse text-on-inverse',
  strong: 'border-accent bg-accent text-on-accent enabled:hover:bg-accent-hover',
  plain: 'border-control bg-surface enabled:hover:bg-hover',
}

function lookOf({ isArmed, isStrong, isPlacing }: StepButtonProps): keyof typeof stepLooks {
  if (isArmed) return 'armed'
  return isStrong || isPlacing ? 'strong' : 'plain'
}

function nameOf({ index, label, total, kind, isArmed, words }: StepButtonProps): string {
  if (words !== undefined) return words
  const money = formatMoney(total)
  if (isArmed) return `Confirm ${money}`
  return index === 0 ? `${acts[kind]} ${money}` : `${namedActs[kind]} ${label}, ${money} in total`
}

const acts = { bid: 'Bid', max: 'Raise to' }
/** The accessible name must start with the button's visible text. */
const namedActs = { bid: 'Bid', max: 'Raise your maximum' }

function StepButton(props: StepButtonProps) {
  const { index, isArmed, isPlacing, isBlocked, tall, title, onPress } = props
  return (
    <button
      type="button"
      data-bid={index}
      disabled={isBlocked}
      aria-busy={isPlacing || undefined}
      aria-disabled={isPlacing || undefined}
      // The first button needs no label, because its visible text is its accessible name.
      aria-label={tall || index > 0 ? nameOf(props) : undefined}
      title={title}
      onClick={isPlacing ? undefined : onPress}
      onKeyDown={refuseRepeats}
      className={cx(
        'relative flex min-w-0 items-center justify-center gap-x-2 overflow-hidden rounded-md border px-1 leading-4 font-semibold whitespace-nowrap transition-colors',
        'disabled:cursor-not-allowed disabled:border-transparent disabled:bg-hover disabled:text-ink-3',
        tall ? 'h-14 flex-col' : 'h-11',
        index > 0 && 'flex-col',
        stepLooks[lookOf(props)],
      )}
    >
      {tall || index > 0 ? (
        <StepText {...props} act={acts[props.kind]} />
      ) : (
        // If space is short, the key hint wraps out of view or the amount moves below its label, so that the amount is never cut off.
        <span className="flex h-6 max-w-full flex-wrap items-center justify-center gap-x-2 overflow-hidden *:h-6 @max-[20rem]/position:h-9 @max-[20rem]/position:*:h-9">
          <StepText {...props} act={acts[props.kind]} />
          <StepKey {...props} />
        </span>
      )}
      {isArmed ? (
        <span aria-hidden="true" className="absolute inset-x-0 bottom-0 h-[3px] origin-left animate-drain bg-accent" />
      ) : null}
    </button>
  )
}

function StepKey({ index, hasKeys, tall, isArmed, isBlocked, isPlacing }: StepButtonProps) {
  if (index > 0 || !hasKeys || tall || isBlocked || isPlacing) return null
  return (
    <span aria-hidden="true" className="inline-flex items-center touch:hidden">
      <Kbd>{isArmed ? 'Enter' : 'B'}</Kbd>
    </span>
  )
}

function StepText({ index, label, total, words, isArmed, isPlacing, tall, act }: StepButtonProps & { act: string }) {
  const money = formatMoney(total)
  if (words !== undefined)
    return <span className="num truncate leading-6 @max-[20rem]/position:leading-9">{words}</span>
  if (index === 0 && !tall) {
    const verb = isArmed ? 'Confirm' : act
    return (
      <span className="num inline-flex items-center gap-x-1 truncate text-base @max-[20rem]/position:flex-col @max-[20rem]/position:justify-center @max-[20rem]/position:gap-0 @max-[20rem]/position:text-sm @max-[20rem]/position:leading-4">
        {isPlacing ? (
          <span className="@max-sm/position:hidden">
            <Spinner size={12} />
          </span>
        ) : null}
        {isPlacing ? 'Placing' : verb} <span>{isPlacing ? `${money}…` : money}</span>
      </span>
    )
  }
  const first = index === 0 ? act : label
  return (
    <>
      <span className="num inline-flex items-center gap-1">
        {isPlacing ? <Spinner size={12} /> : null}
        {isArmed ? 'Confirm' : first}
      </span>
      <span className="num text-xs font-medium opacity-85">{money}</span>
    </>
  )
}

export function ArmedLine({ armed, hasKeys }: { armed: NonNullable<Bidding['armed']>; hasKeys: boolean }) {
  const seconds = useServerTime(() =>
    Math.min(armedMs / 1_000, Math.max(0, Math.ceil((armed.untilMs - Date.now()) / 1_000))),
  )
  return (
    <span className="num font-medium text-ink">
      Confirm within {seconds} s.{' '}
      {hasKeys ? 'Esc or a higher price cancels.' : 'Cancels if the price moves above your bid.'}
    </span>
  )
}

interface AmountFormProps {
  label: string
  placeholder: string
  submitLabel: string
  busy: boolean
  initial?: string
  problem?: string | undefined
  /** Returns an error message, or undefined if the amount was accepted. */
  onSubmit: (amount: number) => string | undefined
  onChange?: () => void
  onClose: () => void
  children?: ReactNode
}

export function AmountForm(props: AmountFormProps) {
  const { label, placeholder, submitLabel, busy, initial = '', problem, onSubmit, onChange, onClose, children } = props
  const [text, setText] = useState(initial)
  const [error, setError] = useState<string>()
  const wrong = error ?? problem
  return (
    <form
      noValidate
      className="flex flex-wrap items-center gap-1.5"
      onSubmit={(event) => {
        event.preventDefault()
        const amount = typedAmount(text)
        const fault = faultOfAmount(amount)
        setError(amount === undefined || fault !== undefined ? fault : onSubmit(amount))
      }}
      onKeyDown={(event) => {
        refuseRepeats(event)
        if (!isPressed(event, keys.close)) return
        event.stopPropagation()
        onClose()
      }}
    >
      <Input
        aria-label={label}
        aria-invalid={wrong !== undefined}
        // The dealer opened this field with a press or key, so moving the focus here is expected.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        inputMode="numeric"
        autoComplete="off"
        placeholder={placeholder}
        value={text}
        className="num h-7! min-w-24 flex-1 max-md:h-11!"
        onChange={(event) => {
          setText(event.target.value)
          setError(undefined)
          onChange?.()
        }}
      />
      <Button type="submit" size="sm" variant="primary" busy={busy}>
        {submitLabel}
      </Button>
      {children}
      <Button size="sm" variant="ghost" onClick={onClose}>
        Cancel
      </Button>
      {wrong ? (
        <p role="alert" className="w-full text-xs text-danger-ink">
          {wrong}
        </p>
      ) : null}
    </form>
  )
}

/** Shows the result of a press. Screen readers announce errors immediately. */
export function PressNotice({ bidding }: { bidding: Bidding }) {
  return (
    <span role={bidding.notice?.bad || bidding.isUnknown ? 'alert' : undefined}>
      <BidNotice bidding={bidding} />
    </span>
  )
}
