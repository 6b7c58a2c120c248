import { useState } from 'react'
import { reasonOf } from '#client/lib/api.ts'
import { serverNow } from '#client/lib/connection.ts'
import { faultOfAmount, isTypedZero, typedAmount } from '#client/lib/typed-amount.ts'
import { Button } from '#client/ui/button.tsx'
import { Field } from '#client/ui/field.tsx'
import { Input } from '#client/ui/input.tsx'
import { toast } from '#client/ui/toast-store.ts'
import { auctionDefaultMs } from '#shared/limits.ts'
import type { Auction, AuctionTerms } from '#shared/schemas/auctions.ts'
import { useChangeTerms } from './auctions.api.ts'

const minuteMs = 60_000

/** `datetime-local` wants the dealer's own time without a zone. */
function localTime(ms: number): string {
  return new Date(ms - new Date(ms).getTimezoneOffset() * minuteMs).toISOString().slice(0, 16)
}

interface TypedTerms {
  start: string
  reserve: string
  starts: string
  ends: string
}

/** As they stand; after an end without a bid, another run from now. */
function typedTermsOf({ status, startAmount, startsAt, endsAt, seller }: Auction): TypedTerms {
  const over = status !== 'open'
  return {
    start: String(startAmount),
    reserve: String(seller?.reserveAmount ?? ''),
    starts: !over && Date.parse(startsAt) > serverNow() ? localTime(Date.parse(startsAt)) : '',
    ends: localTime(over ? serverNow() + auctionDefaultMs : Date.parse(endsAt)),
  }
}

/** The moment that was typed: of one that nobody changed its seconds as well, which the field does not show. */
function momentOf(text: string, stands: string): string {
  return text === localTime(Date.parse(stands)) ? stands : new Date(text).toISOString()
}

/** Whether there is a reserve without a figure: whatever is bid, the seller decides at the end. */
const decidesAtEnd = ({ reserve, seller }: Auction): boolean => reserve !== 'none' && seller?.reserveAmount === null

/** The reserve to send: left out it stays. Undefined where what was typed is none. */
function readReserve(text: string, decides: boolean): Pick<AuctionTerms, 'reserveAmount'> | undefined {
  if (text.trim() === '' && decides) return {}
  if (text.trim() === '' || isTypedZero(text)) return { reserveAmount: null }
  const reserveAmount = typedAmount(text)
  return reserveAmount === undefined ? undefined : { reserveAmount }
}

/** The terms to send, or what is wrong with them. */
function readTerms({ start, reserve, starts, ends }: TypedTerms, auction: Auction): AuctionTerms | string {
  const { startsAt, endsAt } = auction
  const startAmount = typedAmount(start)
  const reserved = readReserve(reserve, decidesAtEnd(auction))
  if (startAmount === undefined || reserved === undefined || ends === '') return 'Enter amounts in dollars and an end'
  const fault = faultOfAmount(Math.max(startAmount, reserved.reserveAmount ?? 0))
  if (fault !== undefined) return fault
  return {
    startAmount,
    ...reserved,
    endsAt: momentOf(ends, endsAt),
    ...(starts !== '' && { startsAt: momentOf(starts, startsAt) }),
  }
}

/** The seller's terms until somebody bids, also to run an auction again that nobody bid on. */
export function TermsForm({ auction }: { auction: Auction }) {
  const change = useChangeTerms(auction.postId)
  const [typed, setTyped] = useState(() => typedTermsOf(auction))
  const [error, setError] = useState<string>()
  const submit = () => {
    const terms = readTerms(typed, auction)
    if (typeof terms === 'string') return setError(terms)
    setError(undefined)
    change.mutate(terms, {
      onSuccess: () => toast({ title: 'Auction updated' }),
      onError: (failure) => setError(reasonOf(failure)),
    })
  }
  const control = (name: keyof TypedTerms) => ({
    value: typed[name],
    onChange: (event: { target: { value: string } }) => setTyped({ ...typed, [name]: event.target.value }),
  })
  return (
    <form
      noValidate
      aria-label="Auction terms"
      className="grid grid-cols-2 gap-3 border-t border-line px-5 py-3 max-md:px-4"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <Field label="Starting amount">
        <Input inputMode="decimal" {...control('start')} />
      </Field>
      <Field
        label="Reserve"
        hint={decidesAtEnd(auction) ? 'Hidden. Empty: you decide. 0: none' : 'Hidden. Empty: none'}
      >
        <Input inputMode="decimal" {...control('reserve')} />
      </Field>
      <Field label="Starts" hint="Empty: now" className="max-md:col-span-2">
        <Input type="datetime-local" {...control('starts')} />
      </Field>
      <Field label="Ends" error={error} className="max-md:col-span-2">
        <Input type="datetime-local" {...control('ends')} />
      </Field>
      <div className="col-span-2 flex flex-wrap items-center gap-x-3 gap-y-1">
        <Button type="submit" busy={change.isPending}>
          {auction.status === 'open' ? 'Save terms' : 'Run again'}
        </Button>
        {auction.status === 'open' ? null : (
          <p className="text-xs text-ink-2">Open offers end when bidding opens. Their buyers are told.</p>
        )}
      </div>
    </form>
  )
}
