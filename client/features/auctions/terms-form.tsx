import { reasonOf } from '#client/lib/http/api.ts'
import { serverNow } from '#client/lib/live/connection.ts'
import { faultOfAmount, isTypedZero, typedAmount } from '#client/lib/form/typed-amount.ts'
import { Button } from '#client/ui/button.tsx'
import { Field } from '#client/ui/field.tsx'
import { type FieldErrors, useFormState } from '#client/ui/form-state.ts'
import { Input } from '#client/ui/input.tsx'
import { toast } from '#client/ui/toast-store.ts'
import { auctionDefaultMs } from '#shared/limits.ts'
import type { Auction, AuctionTerms } from '#shared/schemas/auctions.ts'
import { useChangeTerms } from './auctions.api.ts'

const minuteMs = 60_000

/** Formats a time for a `datetime-local` field, in the dealer's time zone. */
function localTime(ms: number): string {
  return new Date(ms - new Date(ms).getTimezoneOffset() * minuteMs).toISOString().slice(0, 16)
}

interface TypedTerms {
  start: string
  reserve: string
  starts: string
  ends: string
}

/** Returns the initial values of the form. If the auction ended without bids, these are the terms of a restart that begins now. */
function typedTermsOf({ status, startAmount, startsAt, endsAt, seller }: Auction): TypedTerms {
  const over = status !== 'open'
  return {
    start: String(startAmount),
    reserve: String(seller?.reserveAmount ?? ''),
    starts: !over && Date.parse(startsAt) > serverNow() ? localTime(Date.parse(startsAt)) : '',
    ends: localTime(over ? serverNow() + auctionDefaultMs : Date.parse(endsAt)),
  }
}

/** Returns the start to send. An unchanged start that has passed is not sent, because an auction cannot start in the past. */
function startOf(starts: string, { startsAt }: Auction): Pick<AuctionTerms, 'startsAt'> {
  if (starts === '') return {}
  const moment = momentOf(starts, startsAt)
  return moment === startsAt && Date.parse(startsAt) <= serverNow() ? {} : { startsAt: moment }
}

/** Returns the typed time as an ISO string. If the time was not changed, returns `current`, because the field does not show seconds. */
function momentOf(text: string, current: string): string {
  return text === localTime(Date.parse(current)) ? current : new Date(text).toISOString()
}

/** True if there is a reserve without an amount: the seller then decides at the end whether to accept the highest bid. */
const decidesAtEnd = ({ reserve, seller }: Auction): boolean => reserve !== 'none' && seller?.reserveAmount === null

/** Parses the reserve field. Returns an empty object to leave the reserve unchanged, or undefined if the text is invalid. */
function readReserve(text: string, isDecidedAtEnd: boolean): Pick<AuctionTerms, 'reserveAmount'> | undefined {
  if (text.trim() === '' && isDecidedAtEnd) return {}
  if (text.trim() === '' || isTypedZero(text)) return { reserveAmount: null }
  const reserveAmount = typedAmount(text)
  return reserveAmount === undefined ? undefined : { reserveAmount }
}

/** Date inputs accept years that `Date` cannot parse. */
const isTime = (text: string): boolean => !Number.isNaN(Date.parse(text))

function faultOfReserve({ start, reserve }: TypedTerms, auction: Auction): string | undefined {
  const reserved = readReserve(reserve, decidesAtEnd(auction))
  if (!reserved?.reserveAmount) return reserved ? undefined : faultOfAmount(undefined)
  const isBelow = reserved.reserveAmount < (typedAmount(start) ?? 0)
  return isBelow ? 'The reserve cannot be below the starting amount' : faultOfAmount(reserved.reserveAmount)
}

function faultsOf(typed: TypedTerms, auction: Auction): FieldErrors<TypedTerms> {
  const { start, starts, ends } = typed
  const faults: [keyof TypedTerms, string | undefined][] = [
    ['start', faultOfAmount(typedAmount(start))],
    ['reserve', faultOfReserve(typed, auction)],
    ['starts', starts === '' || isTime(starts) ? undefined : 'Choose a time or leave blank'],
    ['ends', isTime(ends) ? undefined : 'Choose a time'],
  ]
  return Object.fromEntries(faults.filter(([, fault]) => fault !== undefined))
}

function termsOf({ start, reserve, starts, ends }: TypedTerms, auction: Auction): AuctionTerms {
  const startAmount = typedAmount(start)
  return {
    ...(startAmount !== undefined && { startAmount }),
    ...readReserve(reserve, decidesAtEnd(auction)),
    endsAt: momentOf(ends, auction.endsAt),
    ...startOf(starts, auction),
  }
}

/** The seller can change the terms until the first bid. An auction that ended without bids can be restarted. */
export function TermsForm({ auction }: { auction: Auction }) {
  const change = useChangeTerms(auction.postId)
  const { values, errors, set, refuse, submit } = useFormState<TypedTerms>({
    initial: typedTermsOf(auction),
    validate: (typed) => faultsOf(typed, auction),
    onSubmit: (typed) =>
      change.mutate(termsOf(typed, auction), {
        onSuccess: () => toast({ title: 'Auction updated' }),
        onError: (failure) => refuse({ ends: reasonOf(failure) }),
      }),
  })
  const control = (name: keyof TypedTerms) => ({
    value: values[name],
    onChange: (event: { target: { value: string } }) => set(name, event.target.value),
  })
  return (
    <form
      noValidate
      aria-label="Auction terms"
      className="grid grid-cols-2 gap-3 border-t border-line px-5 py-3 max-md:px-4"
      onSubmit={submit}
    >
      <Field label="Starting amount" error={errors.start}>
        <Input inputMode="decimal" {...control('start')} />
      </Field>
      <Field
        label="Reserve"
        error={errors.reserve}
        hint={
          decidesAtEnd(auction)
            ? 'Hidden from bidders. Leave blank to decide at the end; 0 for no reserve.'
            : 'Hidden from bidders. Leave blank for no reserve.'
        }
      >
        <Input inputMode="decimal" {...control('reserve')} />
      </Field>
      <Field label="Starts" error={errors.starts} hint="Leave blank to start now." className="max-md:col-span-2">
        <Input type="datetime-local" {...control('starts')} />
      </Field>
      <Field label="Ends" error={errors.ends} className="max-md:col-span-2">
        <Input type="datetime-local" {...control('ends')} />
      </Field>
      <div className="col-span-2 flex flex-wrap items-center gap-x-3 gap-y-1">
        <Button type="submit" busy={change.isPending}>
          {auction.status === 'open' ? 'Save terms' : 'Run again'}
        </Button>
        {auction.status === 'open' ? null : (
          <p className="text-xs text-ink-2">Open offers end when bidding opens. We'll notify the buyers.</p>
        )}
      </div>
    </form>
  )
}
