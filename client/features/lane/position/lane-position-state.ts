import {
  type AuctionPhase,
  highBidBelowReserve,
  isBelowReserve,
  nameOfBidder,
} from '#client/lib/auction/auction-state.ts'
import { formatExactTime, formatMoney, formatTime } from '#client/ui/format.ts'
import { offerAnswerMs } from '#shared/limits.ts'
import type { Auction } from '#shared/schemas/auctions.ts'
import type { Offer } from '#shared/schemas/deals.ts'

export type PositionState =
  | 'coming'
  | 'open'
  | 'winning'
  | 'outbid'
  | 'own'
  | 'closing'
  | 'won'
  | 'lost'
  | 'decidingMine'
  | 'decidingOwn'
  | 'deciding'
  | 'noSale'
  | 'removed'
  | 'paused'

/** In these states, there is nothing left to do in the grid position, so another auction may replace this one. */
const replaceable: ReadonlySet<PositionState> = new Set(['lost', 'deciding', 'noSale', 'removed'])
export const isReplaceable = (state: PositionState): boolean => replaceable.has(state)

export const isBiddable = (state: PositionState): boolean =>
  state === 'open' || state === 'winning' || state === 'outbid' || state === 'paused'

export function positionStateOf(auction: Auction, phase: AuctionPhase, online: boolean): PositionState {
  const { you, leader } = auction
  const leads = leader !== null && leader === you.number
  switch (phase) {
    case 'coming':
    case 'running':
      return online ? whileOpen(auction, phase, leads) : 'paused'
    case 'closing':
      return 'closing'
    case 'sold':
      return leads ? 'won' : 'lost'
    case 'deciding':
      if (you.isSeller) return 'decidingOwn'
      return leads ? 'decidingMine' : 'deciding'
    case 'no_sale':
      return 'noSale'
  }
}

function whileOpen({ you, leader }: Auction, phase: 'coming' | 'running', leads: boolean): PositionState {
  if (you.isSeller) return 'own'
  if (phase === 'coming') return 'coming'
  if (leads) return 'winning'
  return you.number === null || leader === null ? 'open' : 'outbid'
}

export function whyBlocked(state: PositionState): string | undefined {
  if (state === 'paused') return "Bidding is paused until you're back online"
  if (state === 'coming') return 'Bidding has not started'
  return state === 'open' || state === 'winning' || state === 'outbid' ? undefined : 'You cannot bid here right now'
}

export interface Bar {
  tone: 'plain' | 'lead' | 'out' | 'wait' | 'sold'
  icon: 'clock' | 'gavel' | 'check' | 'alert' | 'hourglass' | 'trophy' | 'offline'
  title: string
  detail: string
}

const secondMs = 1_000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs

function shortSpan(ms: number): string {
  if (ms < minuteMs) return `${Math.max(0, Math.floor(ms / secondMs))} s`
  return ms < hourMs ? `${Math.floor(ms / minuteMs)} min` : `${Math.floor(ms / hourMs)} h`
}

function outbidBy(auction: Auction, nowMs: number): string {
  const [newest] = auction.bids
  const who = nameOfBidder(auction, auction.leader ?? 0)
  return newest ? `${who}, ${shortSpan(nowMs - Date.parse(newest.at))} ago` : who
}

function leadOf({ bids, you, amount }: Auction, words: (lead: string) => string): string {
  const second = bids.find((bid) => bid.bidder !== you.number)
  return second && amount !== null ? words(formatMoney(amount - second.amount)) : 'the only bid'
}

const plain = (icon: Bar['icon'], title: string, detail: string): Bar => ({ tone: 'plain', icon, title, detail })
const wait = (icon: Bar['icon'], title: string, detail: string): Bar => ({ tone: 'wait', icon, title, detail })

function ownDetail(auction: Auction, leader: string, nowMs: number): string {
  if (nowMs < Date.parse(auction.startsAt)) return `opens ${formatTime(auction.startsAt)}`
  return leader ? `${leader} leads` : 'no bids yet'
}

type AwaitedOffer = Pick<Offer, 'turn' | 'expiresAt'>

/** Returns the bar while the seller decides on the dealer's bid, or while the dealer has to answer a counteroffer. */
function decidingMine({ endsAt }: Auction, nowMs: number, offer: AwaitedOffer | undefined): Bar {
  const due = shortSpan((offer ? Date.parse(offer.expiresAt) : Date.parse(endsAt) + offerAnswerMs) - nowMs)
  return offer?.turn === 'buyer'
    ? wait('hourglass', 'The seller countered', `your answer is due in ${due}`)
    : wait('hourglass', 'Reserve not met', `answer due in ${due}`)
}

/**
 * Returns the bar above a grid position, which shows the state as text and an icon, not only by color.
 * @param asOfMs when the auction was last updated
 * @param offer the offer that was made from the dealer's bid, while a party still has to answer it
 */
export function barOf(
  state: PositionState,
  auction: Auction,
  nowMs: number,
  asOfMs: number,
  offer?: AwaitedOffer,
): Bar {
  const price = formatMoney(auction.amount ?? auction.startAmount)
  const leader = auction.leader === null ? '' : nameOfBidder(auction, auction.leader)
  const bars: Record<PositionState, () => Bar> = {
    coming: () => plain('clock', 'Upcoming', `opens ${formatTime(auction.startsAt)}`),
    open: () =>
      leader
        ? plain('gavel', `${leader} leads`, 'you have not bid')
        : plain('gavel', 'No bids yet', `opens at ${price}`),
    winning: () =>
      isBelowReserve(auction)
        ? wait(
            'hourglass',
            highBidBelowReserve,
            leadOf(auction, (lead) => `${lead} ahead`),
          )
        : { tone: 'lead', icon: 'check', title: 'You are winning', detail: leadOf(auction, (lead) => `by ${lead}`) },
    outbid: () => ({ tone: 'out', icon: 'alert', title: 'You have been outbid', detail: outbidBy(auction, nowMs) }),
    own: () => plain('gavel', 'Your auction', ownDetail(auction, leader, nowMs)),
    closing: () => wait('hourglass', 'Closing…', 'counting final bids'),
    won: () => ({ tone: 'sold', icon: 'trophy', title: 'You won', detail: `yours for ${price}` }),
    lost: () => plain('gavel', 'Sold', leader ? `${leader}, ${price}` : price),
    decidingMine: () => decidingMine(auction, nowMs, offer),
    decidingOwn: () => wait('hourglass', 'Your decision', `${price} is below your reserve`),
    deciding: () => plain('hourglass', 'The seller decides', `at ${price}`),
    noSale: () =>
      auction.endReason === null
        ? plain('gavel', 'No sale', 'the auction ended without a sale')
        : plain('gavel', 'Ended by the seller', auction.endReason),
    removed: () => plain('gavel', 'No longer available', 'the post was removed'),
    paused: () => wait('offline', 'Bids are paused', `as of ${formatExactTime(new Date(asOfMs))}`),
  }
  return bars[state]()
}

export const announcementOf = (name: string, bar: Bar): string => `${name}: ${bar.title}, ${bar.detail}`
