import { useEffect, useEffectEvent, useState } from 'react'
import { reasonOf } from '#client/lib/http/api.ts'
import { isFarAbove, kindFor, maximumAt } from '#client/lib/auction/bid-arming.ts'
import type { Bidding } from '#client/lib/auction/bidding.ts'
import { BidQuestion } from '#client/ui/bid-question.tsx'
import { Button } from '#client/ui/button.tsx'
import { cx } from '#client/ui/cx.ts'
import { formatMoney } from '#client/ui/format.ts'
import type { Auction } from '#shared/schemas/auctions.ts'
import type { LaneRow } from '#shared/schemas/lane.ts'
import { AmountForm } from './bid-steps.tsx'
import { useLaneParts } from '../lane-context.ts'
import { usePreset } from '../lane.api.ts'
import { type PositionState, whyBlocked } from './lane-position-state.ts'
import { notePress } from '../lane.store.ts'

export type FormName = 'bid' | 'maximum'

export interface FooterProps {
  row: LaneRow
  auction: Auction
  state: PositionState
  bidding: Bidding
  form: FormName | undefined
  onForm: (form: FormName | undefined) => void
  tall?: boolean
}

/** True if even the lowest bid would exceed the day limit, based on the client's data. The server makes the final decision. */
export function useIsOverLimit({ auction, state, bidding: { overLimit } }: FooterProps): boolean {
  const { day } = useLaneParts()
  const { minNext } = auction
  if (kindFor(auction) === 'max' || state === 'coming') return false
  if (overLimit) {
    const { total, used, limit } = overLimit
    if (minNext >= total) return true
    if (used !== undefined && limit !== undefined) return used - total + minNext > limit
  }
  return day !== undefined && day.limit !== null && day.used + minNext > day.limit
}

export const lineLink =
  'inline-flex items-center gap-1 rounded-sm font-medium whitespace-nowrap text-accent-ink hover:underline disabled:text-ink-3 disabled:no-underline max-md:min-h-11 max-md:px-1'

/** A link to change the day limit, shown after a bid exceeded it. Hidden if even the lowest bid exceeds it. */
export function LimitLink(props: FooterProps) {
  const { onChangeLimit } = useLaneParts()
  const isOver = useIsOverLimit(props)
  if (!props.bidding.overLimit || isOver) return null
  return (
    <button type="button" className={cx(lineLink, 'ml-auto flex-none')} onClick={onChangeLimit}>
      Change limit
    </button>
  )
}

interface LineFormProps extends FooterProps {
  onClose: () => void
}

const typedAt = 'typed'

export function BidForm(props: LineFormProps) {
  const { auction, bidding, onClose } = props
  const { armed } = bidding
  const isArmed = armed?.at === typedAt
  const isPlacing = bidding.placing !== undefined
  const close = useEffectEvent(onClose)
  useEffect(() => {
    if (isPlacing) close()
  }, [isPlacing])
  return (
    <AmountForm
      label="Amount to bid"
      placeholder={formatMoney(auction.minNext)}
      submitLabel={isArmed ? `Confirm ${formatMoney(armed.total)}` : 'Bid'}
      busy={isPlacing}
      problem={bidding.notice?.bad ? bidding.notice.text : undefined}
      onChange={bidding.drop}
      onClose={() => {
        bidding.drop()
        onClose()
      }}
      onSubmit={(total) => {
        if (kindFor(auction) === 'max') return "You're leading: set a higher maximum instead"
        if (total < auction.minNext) return `Enter ${formatMoney(auction.minNext)} or more`
        notePress()
        bidding.press({ total, at: typedAt, typed: true })
        return undefined
      }}
    >
      <LimitLink {...props} />
    </AmountForm>
  )
}

/** Asks for confirmation if a preset maximum is far above the starting amount. `useBidding` asks only in running auctions. */
function usePresetWithQuestion({ postId, minNext }: Auction, onClose: () => void) {
  const preset = usePreset(postId)
  const [far, setFar] = useState<number>()
  const save = (amount: number | null) => preset.mutate(amount, { onSuccess: onClose })
  return {
    preset,
    asked: far === undefined ? undefined : ({ kind: 'max', total: far, at: maximumAt } as const),
    save,
    send: (amount: number) => (isFarAbove('max', amount, minNext) ? setFar(amount) : save(amount)),
    answer: (yes: boolean) => {
      setFar(undefined)
      if (yes && far !== undefined) save(far)
    },
  }
}

export function MaximumForm(props: LineFormProps) {
  const { auction, state, bidding, onClose } = props
  const isComing = state === 'coming'
  const { preset, asked, save, send, answer } = usePresetWithQuestion(auction, onClose)
  const least = kindFor(auction) === 'max' ? (auction.amount ?? 0) : auction.minNext
  const known = isComing ? auction.you.preset : auction.you.maximum
  const typed = bidding.notice?.bad ? bidding.notice.text : undefined
  return (
    <>
      <AmountForm
        label={isComing ? 'Preset maximum' : 'Your maximum'}
        placeholder={formatMoney(least)}
        initial={known === null ? '' : String(known)}
        submitLabel="Set"
        busy={preset.isPending || bidding.placing !== undefined}
        problem={preset.error ? reasonOf(preset.error) : typed}
        onClose={onClose}
        onSubmit={(amount) => {
          if (amount < least) return `Enter ${formatMoney(least)} or more`
          const blocked = isComing ? undefined : whyBlocked(state)
          if (blocked !== undefined) return blocked
          notePress()
          if (isComing) send(amount)
          else bidding.setMaximum(amount, onClose)
          return undefined
        }}
      >
        {isComing && known !== null ? (
          <Button size="sm" onClick={() => save(null)}>
            Remove
          </Button>
        ) : null}
        <LimitLink {...props} />
      </AmountForm>
      {/* Outside the form, so that its buttons do not submit the form. */}
      <BidQuestion bidding={{ asked, next: auction.minNext, answer }} />
    </>
  )
}
