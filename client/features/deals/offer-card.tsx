import { type RefObject, useEffect, useRef, useState } from 'react'
import { everyVisible } from '#client/lib/screen/visible-interval.ts'
import { Link } from 'wouter'
import { useCurrentDealer } from '#client/lib/session/current-dealer.ts'
import { serverNow } from '#client/lib/live/connection.ts'
import { faultOfAmount, typedAmount } from '#client/lib/form/typed-amount.ts'
import { Badge, type BadgeTone } from '#client/ui/badge.tsx'
import { Button } from '#client/ui/button.tsx'
import { cx } from '#client/ui/cx.ts'
import { DealerLink } from '#client/ui/dealer-link.tsx'
import { Field } from '#client/ui/field.tsx'
import { formatMoney } from '#client/ui/format.ts'
import { Input } from '#client/ui/input.tsx'
import { PriceWithFee } from '#client/ui/price-with-fee.tsx'
import { useFocusInPlace } from '#client/ui/list-focus.ts'
import { RelativeTime } from '#client/ui/relative-time.tsx'
import { Thumbnail } from '#client/ui/thumbnail.tsx'
import type { Offer, OfferAct } from '#shared/schemas/deals.ts'
import { useActOnOffer } from './offers.api.ts'
import { offerAreas, rowClass } from './row-layout.ts'

const minuteMs = 60_000
const minutesPerHour = 60
const statusTones: Record<Offer['status'], BadgeTone> = {
  open: 'warning',
  accepted: 'success',
  declined: 'neutral',
  withdrawn: 'neutral',
  expired: 'neutral',
  ended: 'neutral',
}
const statusTexts: Record<Offer['status'], string> = {
  open: 'Open',
  accepted: 'Accepted',
  declined: 'Declined',
  withdrawn: 'Withdrawn',
  expired: 'Expired',
  ended: 'Ended',
}

function timeLeft(expiresAt: string, nowMs: number): string {
  const left = Date.parse(expiresAt) - nowMs
  if (left <= 0) return 'Expired'
  const total = Math.max(1, Math.round(left / minuteMs))
  const hours = Math.floor(total / minutesPerHour)
  const minutes = total % minutesPerHour
  return hours > 0 ? `${hours} h ${minutes} min left` : `${minutes} min left`
}

function useMinuteClock(): number {
  const [now, setNow] = useState(serverNow)
  useEffect(() => everyVisible(minuteMs / 4, () => setNow(serverNow())), [])
  return now
}

export function OfferCard({ offer, photo }: { offer: Offer; photo: string | null }) {
  const me = useCurrentDealer()
  const now = useMinuteClock()
  const selling = offer.seller.id === me.id
  const other = selling ? offer.buyer : offer.seller
  const open = offer.status === 'open'
  const isToMe = offer.turn === (selling ? 'seller' : 'buyer')
  const mine = open && isToMe
  const kind = offer.source === 'auction' ? 'Offer after the auction' : 'Offer'
  const openText = mine ? 'Your answer' : 'Waiting'
  const state = useRef<HTMLSpanElement>(null)
  return (
    <li className={cx(rowClass, offerAreas)}>
      <span className="[grid-area:photo]">
        <Thumbnail src={photo} />
      </span>
      <span className="min-w-0 truncate [grid-area:name]">
        <Link href={`/post/${offer.postId}`} className="rounded-sm font-semibold underline-offset-3 hover:underline">
          {offer.title}
        </Link>
      </span>
      <span className="num text-right text-md font-semibold [grid-area:price]">{formatMoney(offer.amount)}</span>
      <span className="min-w-0 text-xs text-pretty text-ink-2 [grid-area:party]">
        {kind} {isToMe ? 'from' : 'to'} <DealerLink dealer={other} /> · {other.dealershipName}
        {offer.askingPrice === null ? null : <span className="num"> · asking {formatMoney(offer.askingPrice)}</span>}
        {selling ? null : <PriceWithFee price={offer.amount} fee={offer.buyFee} />}
      </span>
      <span
        ref={state}
        tabIndex={-1}
        className="flex flex-wrap items-center gap-2 text-xs text-ink-2 [grid-area:state]"
      >
        <Badge tone={statusTones[offer.status]}>{open ? openText : statusTexts[offer.status]}</Badge>
        {open ? (
          <span className="num">{timeLeft(offer.expiresAt, now)}</span>
        ) : (
          <RelativeTime iso={offer.updatedAt} className="num" />
        )}
      </span>
      <OfferActs offer={offer} mine={mine} selling={selling} state={state} />
    </li>
  )
}

interface OfferActsProps {
  offer: Offer
  mine: boolean
  selling: boolean
  /** The element with the offer's state. It receives focus after an answer if the row stays. */
  state: RefObject<HTMLElement | null>
}

function OfferActs({ offer, mine, selling, state }: OfferActsProps) {
  const focus = useFocusInPlace(state)
  const act = useActOnOffer(offer.id)
  const [countering, setCountering] = useState(false)
  const send = (what: OfferAct, amount?: number) =>
    act.mutate({ act: what, ...(amount !== undefined && { amount }) }, { onSuccess: () => setCountering(false) })
  const busyWith = act.isPending ? act.variables.act : undefined
  if (offer.status !== 'open') return null
  if (!mine) {
    // The buyer cannot withdraw an offer that was made from a bid in an auction.
    if (offer.source === 'auction' && !selling) return null
    return (
      <div className="[grid-area:acts]" {...focus}>
        <Button size="sm" busy={busyWith === 'withdraw'} onClick={() => send('withdraw')}>
          Withdraw
        </Button>
      </div>
    )
  }
  return (
    <div className="flex flex-col gap-2 [grid-area:acts]" {...focus}>
      <div className="flex flex-wrap gap-2">
        <Button size="sm" variant="primary" busy={busyWith === 'accept'} onClick={() => send('accept', offer.amount)}>
          Accept {formatMoney(offer.amount)}
        </Button>
        <Button size="sm" aria-expanded={countering} onClick={() => setCountering(!countering)}>
          Counter
        </Button>
        <Button size="sm" variant="danger-ghost" busy={busyWith === 'decline'} onClick={() => send('decline')}>
          Decline
        </Button>
      </div>
      {countering ? (
        <CounterForm busy={busyWith === 'counter'} onCounter={(amount) => send('counter', amount)} />
      ) : null}
    </div>
  )
}

function CounterForm({ busy, onCounter }: { busy: boolean; onCounter: (amount: number) => void }) {
  const [text, setText] = useState('')
  const [error, setError] = useState<string>()
  return (
    <form
      noValidate
      className="flex items-start gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        const amount = typedAmount(text)
        const fault = faultOfAmount(amount)
        if (amount === undefined || fault !== undefined) setError(fault)
        else onCounter(amount)
      }}
    >
      <Field label="Your counter" hideLabel error={error} className="max-w-48 flex-1">
        <Input
          // The dealer opened this field with a press or key, so moving the focus here is expected.
          // oxlint-disable-next-line jsx-a11y/no-autofocus
          autoFocus
          inputMode="decimal"
          placeholder="Amount"
          autoComplete="off"
          value={text}
          onChange={(event) => {
            setText(event.target.value)
            setError(undefined)
          }}
        />
      </Field>
      <Button type="submit" busy={busy}>
        Send counter
      </Button>
    </form>
  )
}
