import type { BidRequest } from '#server/features/auctions/auctions.repository.ts'

export interface Lot {
  seller: string
  open: boolean
  startsAt: number
  endsAt: number
  hardEndsAt: number
  start: number
  step: number
  price: number | null
  leader: string | null
  ceiling: number
  bidders: string[]
  history: { bidder: string; cents: number; auto: boolean }[]
  outbid: string[]
  presets: BidRequest[]
}

interface DayLimit {
  limit: number
  won: number
}

interface Refused {
  refusal: string
  priceCents: number | null
  minNextCents: number
  endsAt: number
}

interface Taken {
  seq: number
  priceCents: number | null
  endsAt: number
  leads: boolean
  bidderNumber: number
}

export interface Model {
  lots: Map<string, Lot>
  barred: Map<string, string>
  receipts: Map<string, { bid: BidRequest; taken: Taken }>
  limits: Map<string, DayLimit>
  softCloseMs: number
}

const minNext = ({ price, start, step }: Lot) => (price === null ? start : price + step)

function refusalOf(lot: Lot, { bidderId, kind, cents }: BidRequest, at: number): string | undefined {
  if (!lot.open || at < lot.startsAt || at >= lot.endsAt) return 'CLOSED'
  if (bidderId === lot.seller) return 'OWN'
  if (bidderId === lot.leader && kind === 'bid') return 'LEADING'
  if (bidderId === lot.leader) return cents < (lot.price ?? 0) ? 'TOO_LOW' : undefined
  return cents < minNext(lot) ? 'TOO_LOW' : undefined
}

/** True if the bid would exceed the bidder's daily limit. The full maximums of other auctions that the bidder leads count toward it. */
function overLimit({ lots, limits }: Model, { bidderId, postId, cents }: BidRequest): boolean {
  const own = limits.get(bidderId)
  if (own === undefined) return false
  const others = [...lots].filter(([id, { open, leader }]) => id !== postId && open && leader === bidderId)
  const bound = others.reduce((sum, [, { ceiling }]) => sum + ceiling, 0)
  return own.won + bound + cents > own.limit
}

function bidsOf({ leader, ceiling, start, step }: Lot, { bidderId, kind, cents }: BidRequest): Lot['history'] {
  const own = { bidder: bidderId, cents, auto: kind === 'max' }
  if (leader === null) return [{ ...own, cents: kind === 'bid' ? cents : start }]
  if (cents > ceiling) return [{ ...own, cents: kind === 'bid' ? cents : Math.min(cents, ceiling + step) }]
  const answered = { bidder: leader, cents: Math.min(ceiling, cents + step), auto: true }
  return cents < ceiling ? [own, answered] : [answered]
}

/** Applies a bid. The higher maximum leads, at most one increment above the lower. A manual bid that takes the lead sets the price. */
function take(lot: Lot, bid: BidRequest, at: number, softCloseMs: number): void {
  const { bidderId, cents } = bid
  if (bidderId === lot.leader) {
    lot.ceiling = cents
    return
  }
  if (!lot.bidders.includes(bidderId)) lot.bidders.push(bidderId)
  const { leader, ceiling } = lot
  lot.history.push(...bidsOf(lot, bid))
  if (leader === null || cents > ceiling) {
    if (leader !== null) lot.outbid.push(leader)
    Object.assign(lot, { leader: bidderId, ceiling: cents })
  }
  lot.price = lot.history.at(-1)?.cents ?? null
  lot.endsAt = Math.max(lot.endsAt, Math.min(lot.hardEndsAt, at + softCloseMs))
}

/** Returns the expected response to a bid that the server decided at `at`. */
export function decide(model: Model, bid: BidRequest, at: number): { refusal: string } | Refused | Taken {
  const { bidderId, postId, kind, cents } = bid
  const barred = model.barred.get(bidderId)
  if (barred !== undefined) return { refusal: barred }
  const lot = model.lots.get(postId)
  if (lot === undefined) return { refusal: 'NONE' }
  const known = model.receipts.get(bidderId + bid.key)
  if (known !== undefined) {
    const same = known.bid.postId === postId && known.bid.kind === kind && known.bid.cents === cents
    return same ? known.taken : { refusal: 'KEY' }
  }
  // Leaders may always lower their maximum, even if they are over their limit.
  const binds = lot.leader !== bidderId || cents > lot.ceiling
  const refusal = refusalOf(lot, bid, at) ?? (binds && overLimit(model, bid) ? 'LIMIT' : undefined)
  if (refusal !== undefined) return { refusal, priceCents: lot.price, minNextCents: minNext(lot), endsAt: lot.endsAt }
  take(lot, bid, at, model.softCloseMs)
  const taken = {
    seq: lot.history.length,
    priceCents: lot.price,
    endsAt: lot.endsAt,
    leads: lot.leader === bidderId,
    bidderNumber: lot.bidders.indexOf(bidderId) + 1,
  }
  model.receipts.set(bidderId + bid.key, { bid, taken })
  return taken
}

/** Places the preset bids once an auction has started. `timeOf` returns the time of the n-th bid. */
export function decidePresets(model: Model, lot: Lot, timeOf: (no: number) => number): void {
  if (!lot.open || lot.history.length > 0 || lot.startsAt > timeOf(1)) return
  for (const preset of lot.presets) decide(model, preset, timeOf(lot.history.length + 1))
}
