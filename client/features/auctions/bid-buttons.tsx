import { useId, useState } from 'react'
import { type BidKind, kindFor } from '#client/lib/auction/bid-arming.ts'
import { type Bidding, type BidStep, bidStepsOf } from '#client/lib/auction/bidding.ts'
import { refuseRepeats } from '#client/lib/keys/shortcuts.ts'
import { useKeptFormState } from '#client/lib/storage/kept-forms.ts'
import { faultOfAmount, typedAmount } from '#client/lib/form/typed-amount.ts'
import { Button } from '#client/ui/button.tsx'
import { cx } from '#client/ui/cx.ts'
import { Field } from '#client/ui/field.tsx'
import { formatMoney } from '#client/ui/format.ts'
import { Input } from '#client/ui/input.tsx'
import { Spinner } from '#client/ui/spinner.tsx'
import type { Auction } from '#shared/schemas/auctions.ts'

interface BidButtonsProps {
  auction: Auction
  bidding: Bidding
  /** Why bidding is unavailable; undefined if it is available. Screen readers read this reason with every button. */
  blocked: string | undefined
  blockedId: string
  /** True for a row at the bottom of a phone's screen, smallest amount first. False for a stack, smallest amount last. */
  bar?: boolean
}

export function BidButtons({ auction, bidding, blocked, blockedId, bar = false }: BidButtonsProps) {
  const kind = kindFor(auction)
  const steps = bidStepsOf(auction)
  const primary = kind === 'bid' && !blocked ? steps[0]?.total : undefined
  const shown = bar ? steps : steps.toReversed()
  return (
    <div
      role="group"
      aria-label={kind === 'max' ? 'Raise your maximum' : 'Place a bid'}
      className={bar ? 'grid auto-cols-fr grid-flow-col gap-2' : 'flex flex-col gap-2 pb-2'}
    >
      {shown.map((step) => (
        <BidStepButton
          key={step.label}
          step={step}
          bidding={bidding}
          kind={kind}
          bar={bar}
          primary={step.total === primary}
          disabled={Boolean(blocked) || (bidding.placing !== undefined && bidding.placing !== step.total)}
          describedBy={blocked ? blockedId : undefined}
        />
      ))}
    </div>
  )
}

interface BidStepButtonProps {
  step: BidStep
  bidding: Bidding
  kind: BidKind
  bar: boolean
  primary: boolean
  disabled: boolean
  describedBy: string | undefined
}

const acts = { bid: 'Bid', max: 'Raise your maximum' }
const stepClass =
  'ml-7 h-11 justify-between px-4 before:absolute before:-left-6 before:size-2 before:rounded-full before:bg-raised before:shadow-[inset_0_0_0_2px_var(--lw-control)]'

const strongClass = 'border-accent bg-accent text-on-accent enabled:hover:bg-accent-hover'
const plainClass =
  'border-control bg-raised enabled:hover:bg-hover disabled:border-transparent disabled:bg-hover disabled:text-ink-3'

const nameOf = (kind: BidKind, label: string, total: number, armed: boolean): string =>
  armed ? `Confirm ${formatMoney(total)}` : `${acts[kind]} ${label}, ${formatMoney(total)} in total`

function BidStepButton({ step, bidding, kind, bar, primary, disabled, describedBy }: BidStepButtonProps) {
  const { label } = step
  const held = bidding.armed?.at === label ? bidding.armed : undefined
  const armed = held !== undefined
  const { total } = held ?? step
  const placing = bidding.placing === total
  const strong = (primary && bidding.armed === undefined) || armed || placing
  return (
    <button
      type="button"
      disabled={disabled || placing}
      aria-busy={placing || undefined}
      aria-describedby={describedBy}
      aria-label={nameOf(kind, label, total, armed)}
      onClick={() => bidding.press({ total, at: label })}
      onKeyDown={refuseRepeats}
      className={cx(
        'relative flex items-center rounded-md border font-semibold transition-colors disabled:cursor-not-allowed',
        bar ? 'h-14 flex-col justify-center px-1' : stepClass,
        strong ? strongClass : plainClass,
      )}
    >
      <BidStepText label={armed ? 'Confirm' : label} total={total} placing={placing} strong={strong} />
    </button>
  )
}

interface BidStepTextProps {
  label: string
  total: number
  placing: boolean
  strong: boolean
}

function BidStepText({ label, total, placing, strong }: BidStepTextProps) {
  return (
    <>
      <span className="flex items-center gap-2">
        {placing ? <Spinner size={12} /> : null}
        <span className="num">{label}</span>
      </span>
      <span className={cx('num font-medium', strong ? 'text-on-accent' : 'text-ink-2')}>{formatMoney(total)}</span>
    </>
  )
}

/** The text in the field is kept until the server accepts the maximum. */
export function MaximumForm({ auction, bidding, blocked }: { auction: Auction; bidding: Bidding; blocked: boolean }) {
  const {
    values: { text },
    ...persisted
  } = useKeptFormState(`maximum.${auction.postId}`, { text: '' })
  const [error, setError] = useState<string>()
  const formId = useId()
  const leads = kindFor(auction) === 'max'
  const lowest = leads ? (auction.amount ?? 0) : auction.minNext
  const submit = () => {
    const amount = typedAmount(text)
    if (amount === undefined || amount < lowest) return setError(`Enter ${formatMoney(lowest)} or more`)
    const fault = faultOfAmount(amount)
    setError(fault)
    if (fault !== undefined) return
    bidding.setMaximum(amount, () => persisted.sent({ text }))
  }
  const known = auction.you.maximum
  const hint =
    leads && known !== null && known > (auction.amount ?? 0)
      ? `Your maximum is ${formatMoney(known)}. Only you can see it.`
      : "We'll bid for you, one increment above the next dealer. Only you can see it."
  return (
    <form
      id={formId}
      className="flex items-start gap-2 border-t border-line px-5 py-3 max-md:px-4"
      onKeyDown={refuseRepeats}
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <Field label="Your maximum" hint={hint} error={error} className="flex-1">
        <Input
          inputMode="decimal"
          autoComplete="off"
          placeholder={formatMoney(lowest)}
          value={text}
          disabled={blocked}
          onChange={(event) => persisted.set('text', event.target.value)}
        />
      </Field>
      <Button type="submit" className="mt-6" disabled={blocked || text === '' || bidding.placing !== undefined}>
        Set maximum
      </Button>
    </form>
  )
}
