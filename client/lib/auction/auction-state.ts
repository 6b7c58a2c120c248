import { formatMoney } from '#shared/format.ts'
import type { Auction } from '#shared/schemas/auctions.ts'

/** `closing`: the time is up, but the server has not sent the result yet. */
export type AuctionPhase = 'coming' | 'running' | 'closing' | 'deciding' | 'sold' | 'no_sale'

export function phaseOf(auction: Pick<Auction, 'status' | 'startsAt' | 'endsAt'>, nowMs: number): AuctionPhase {
  if (auction.status !== 'open') return auction.status
  if (nowMs < Date.parse(auction.startsAt)) return 'coming'
  return nowMs < Date.parse(auction.endsAt) ? 'running' : 'closing'
}

/** True once the time is up or the auction has ended, even if the result is not known yet. */
export const isOverAt = (auction: Pick<Auction, 'status' | 'startsAt' | 'endsAt'>, nowMs: number): boolean =>
  auction.status !== 'open' || nowMs >= Date.parse(auction.endsAt)

export interface BidderState {
  tone: 'good' | 'bad' | 'neutral' | 'wait'
  title: string
  detail: string
}

/** True if the highest bid is below the reserve. Screens must not show such a bid in green or as "winning". */
export const isBelowReserve = ({ reserve }: Pick<Auction, 'reserve'>): boolean => reserve === 'not_met'

export const highBidBelowReserve = 'High bid, reserve not met'

const bidderName = (auction: Auction, number: number | null) => {
  if (number === null) return 'No one'
  const named = auction.seller?.bidders.find((bidder) => bidder.number === number)
  return named ? `${named.name} (Bidder ${number})` : `Bidder ${number}`
}

/** Returns `You`, the bidder's name if the viewer is the seller, or a pseudonym such as `Bidder 3`. */
export function nameOfBidder(auction: Auction, number: number): string {
  return number === auction.you.number ? 'You' : bidderName(auction, number)
}

function whileRunning(auction: Auction): BidderState {
  const { you, leader, amount } = auction
  const price = formatMoney(amount ?? auction.startAmount)
  if (leader === null) {
    const detail = you.isSeller ? `Bidding starts at ${price}` : `Open the bidding at ${price}`
    return { tone: 'neutral', title: 'No bids yet', detail }
  }
  if (you.isSeller)
    return { tone: 'neutral', title: 'Your auction', detail: `${bidderName(auction, leader)} leads at ${price}` }
  if (leader === you.number) {
    const second = auction.bids.find((bid) => bid.bidder !== you.number)
    const lead = second && amount !== null ? ` leads by ${formatMoney(amount - second.amount)}` : ' is the only bid'
    return isBelowReserve(auction)
      ? { tone: 'wait', title: highBidBelowReserve, detail: `Your ${price}${lead}` }
      : { tone: 'good', title: 'You are winning', detail: `Your ${price}${lead}` }
  }
  if (you.number !== null)
    return { tone: 'bad', title: 'You have been outbid', detail: `${bidderName(auction, leader)} raised to ${price}` }
  return { tone: 'neutral', title: `${bidderName(auction, leader)} leads`, detail: `${price} is the bid to beat` }
}

function whenSold(auction: Auction): BidderState {
  const { you, leader, amount } = auction
  const price = formatMoney(amount ?? 0)
  if (you.isSeller) return { tone: 'good', title: 'Sold', detail: `${bidderName(auction, leader)} bought at ${price}` }
  if (leader !== null && leader === you.number)
    return { tone: 'good', title: 'You won', detail: `Yours for ${price}. Your deal is ready` }
  return {
    tone: you.number === null ? 'neutral' : 'bad',
    title: 'Sold',
    detail: `${bidderName(auction, leader)} bought at ${price}`,
  }
}

function whileDeciding(auction: Auction): BidderState {
  const { you, leader, amount } = auction
  const price = formatMoney(amount ?? 0)
  const waiting = (detail: string): BidderState => ({ tone: 'wait', title: 'Reserve not met', detail })
  if (you.isSeller) return waiting(`Accept, counter or decline ${price} within 24 hours`)
  if (leader === you.number) return waiting(`The seller has 24 hours to answer your ${price}`)
  return waiting('The seller is deciding on the highest bid')
}

export function bidderStateOf(auction: Auction, phase: AuctionPhase, online: boolean): BidderState {
  if (!online && (phase === 'running' || phase === 'coming'))
    return { tone: 'wait', title: 'Reconnecting…', detail: "Bidding is paused until you're back online" }
  switch (phase) {
    case 'running':
      return whileRunning(auction)
    case 'coming':
      return { tone: 'neutral', title: 'Upcoming', detail: `Bidding starts at ${formatMoney(auction.startAmount)}` }
    case 'closing':
      return { tone: 'wait', title: 'Closing…', detail: 'Counting final bids…' }
    case 'deciding':
      return whileDeciding(auction)
    case 'sold':
      return whenSold(auction)
    case 'no_sale':
      return auction.endReason === null
        ? { tone: 'neutral', title: 'No sale', detail: 'The auction ended without a sale' }
        : { tone: 'neutral', title: 'Ended by the seller', detail: auction.endReason }
  }
}

export function priceLabelOf({ amount }: Pick<Auction, 'amount'>, phase: AuctionPhase): string {
  const over = phase === 'deciding' || phase === 'no_sale'
  if (amount === null) return over ? 'Started at' : 'Starts at'
  if (phase === 'sold') return 'Sold at'
  return over ? 'Highest bid' : 'Current bid'
}

export const reserveText = { none: 'No reserve', not_met: 'Reserve not met', met: 'Reserve met' } as const
