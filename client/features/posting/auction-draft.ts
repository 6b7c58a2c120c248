import { serverNow } from '#client/lib/live/connection.ts'
import { isFlag, isShape, isText } from '#client/lib/http/type-guards.ts'
import { faultOfAmount, isTypedZero, typedAmount } from '#client/lib/form/typed-amount.ts'
import type { AuctionTerms } from '#shared/schemas/auctions.ts'

/** The auction terms as typed. Empty fields mean: start now, run for 20 minutes, use the asking price as the reserve. */
export interface AuctionDraft {
  /** True if the dealer wants the post to open bidding. */
  on: boolean
  startAmount: string
  reserveAmount: string
  startsAt: string
  endsAt: string
}

export const emptyAuctionDraft: AuctionDraft = {
  on: true,
  startAmount: '',
  reserveAmount: '',
  startsAt: '',
  endsAt: '',
}

export const isAuctionDraft = isShape<AuctionDraft>({
  on: isFlag,
  startAmount: isText,
  reserveAmount: isText,
  startsAt: isText,
  endsAt: isText,
})

const faultOf = (text: string) => (text.trim() === '' ? undefined : faultOfAmount(typedAmount(text)))
/** Date inputs accept years that `Date` cannot parse. */
const isNoTime = (text: string) => text !== '' && Number.isNaN(Date.parse(text))
const noTime = 'Choose a time or leave blank'
const timeOf = (text: string): string | undefined => (text === '' ? undefined : new Date(text).toISOString())

export function auctionFaults({ startAmount, reserveAmount, startsAt, endsAt }: AuctionDraft) {
  const faults: Partial<Record<keyof AuctionDraft, string>> = {}
  const [start, reserve] = [typedAmount(startAmount), typedAmount(reserveAmount)]
  const startFault = faultOf(startAmount)
  if (startFault !== undefined) faults.startAmount = startFault
  const reserveFault = isTypedZero(reserveAmount) ? undefined : faultOf(reserveAmount)
  if (reserveFault !== undefined) faults.reserveAmount = `${reserveFault}, or 0`
  else if (start !== undefined && reserve !== undefined && reserve < start)
    faults.reserveAmount = 'The reserve cannot be below the starting amount'
  if (isNoTime(startsAt)) faults.startsAt = noTime
  if (isNoTime(endsAt)) faults.endsAt = noTime
  const from = startsAt === '' ? serverNow() : Date.parse(startsAt)
  if (endsAt !== '' && Date.parse(endsAt) <= from) faults.endsAt = 'The end must come after the start'
  return faults
}

export function auctionTermsOf(draft: AuctionDraft): AuctionTerms {
  const startAmount = typedAmount(draft.startAmount)
  const reserveAmount = isTypedZero(draft.reserveAmount) ? null : typedAmount(draft.reserveAmount)
  const startsAt = timeOf(draft.startsAt)
  const endsAt = timeOf(draft.endsAt)
  return {
    ...(startAmount !== undefined && { startAmount }),
    ...(reserveAmount !== undefined && { reserveAmount }),
    ...(startsAt !== undefined && { startsAt }),
    ...(endsAt !== undefined && { endsAt }),
  }
}
