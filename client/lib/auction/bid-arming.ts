import { formatMoney } from '#shared/format.ts'
import type { Auction } from '#shared/schemas/auctions.ts'

/** An armed amount must be confirmed within this many milliseconds. */
export const armedMs = 6_000
/**
 * A press is refused within this many milliseconds after the amounts on the buttons change, because it may have been meant for the old
 * amount.
 */
export const settleMs = 250
/** A Lane position must have had focus for this many milliseconds before a key press places a bid immediately. */
const keyFocusMs = 300

/** `bid` places a bid; `max` raises the maximum of the dealer who already leads. */
export type BidKind = 'bid' | 'max'

/** An amount above the next bid multiplied by this factor needs confirmation. */
const jumpFactors: Record<BidKind, number> = { bid: 1.25, max: 2 }

/** True if an amount is so far above the next bid that the dealer should confirm it. */
export const isFar = (kind: BidKind, total: number, next: number): boolean => total > jumpFactors[kind] * next

export interface Offered {
  kind: BidKind
  base: number
  least: number
  price: number
  next: number
}

export const kindFor = ({ leader, you }: Pick<Auction, 'leader' | 'you'>): BidKind =>
  leader !== null && leader === you.number ? 'max' : 'bid'

type OfferedOf = Pick<Auction, 'leader' | 'you' | 'amount' | 'startAmount' | 'minNext'>

export function offeredBy(auction: OfferedOf): Offered {
  const { amount, startAmount, minNext, you } = auction
  const price = amount ?? startAmount
  if (kindFor(auction) === 'bid') return { kind: 'bid', base: price, least: minNext, price, next: minNext }
  return { kind: 'max', base: Math.max(price, you.maximum ?? 0), least: price, price, next: minNext }
}

interface Chosen {
  kind: BidKind
  total: number
  at: string
  onTaken?: () => void
}

/** Value of `at` for a maximum that is typed into its field. This is allowed whether or not the dealer leads. */
export const maximumAt = 'maximum'

export interface Notice {
  text: string
  bad: boolean
}

export interface Arming {
  offered: Offered
  /** True if the auction appeared here less than {@link settleMs} ago. */
  isNew: boolean
  /** Time at which the amounts on the buttons last changed, in epoch milliseconds. */
  movedAtMs: number
  armed: (Chosen & { untilMs: number }) | undefined
  asked: Chosen | undefined
  notice: Notice | undefined
}

export interface Press {
  total: number
  at: string
  oneTap: boolean
  /** True if the amount was typed into a field. A typed amount does not change by itself. */
  typed?: boolean
  /** Milliseconds that the position has had focus. Set only for a key press that is not on the control itself. */
  focusedMs?: number
}

export type ArmingEvent =
  | { is: 'press'; press: Press }
  /** The dealer typed a maximum. It is sent immediately, unless it needs confirmation. */
  | ({ is: 'maximum' } & Pick<Chosen, 'total' | 'onTaken'>)
  | { is: 'offered'; offered: Offered }
  | { is: 'answer'; yes: boolean }
  /**
   * Cancels the chosen amount, because of Escape, lost focus, another window, a lost connection or the auction's end. `say` is shown as a
   * notice.
   */
  | { is: 'drop'; say?: string }
  | { is: 'tick' }
  /** The auction appeared here {@link settleMs} ago. From now on, presses are accepted. */
  | { is: 'settled' }
  | { is: 'notice'; notice: Notice | undefined }

export type Send = Chosen

interface Step {
  next: Arming
  send?: Send
}

/** @param isNew true if the auction has just appeared here */
export const idle = (offered: Offered, isNew = false): Arming => ({
  offered,
  isNew,
  movedAtMs: Number.NEGATIVE_INFINITY,
  armed: undefined,
  asked: undefined,
  notice: undefined,
})

const unarmed = { armed: undefined, asked: undefined, notice: undefined }

/** Returns the reason to refuse a press that may have been meant for the previous amounts, or undefined to accept it. */
function tooEarly({ offered, isNew, movedAtMs }: Arming, nowMs: number): string | undefined {
  if (nowMs - movedAtMs < settleMs) return `Price just moved to ${formatMoney(offered.price)}. Press again.`
  return isNew ? 'A different auction just moved here. Press again to bid.' : undefined
}

function pressed(held: Arming, press: Press, nowMs: number): Step {
  const { armed, offered } = held
  const { total, at } = press
  if (armed && armed.at === at && armed.total === total && nowMs < armed.untilMs)
    return { next: { ...held, ...unarmed }, send: { kind: armed.kind, total, at } }
  const refuse = (text: string): Step => ({ next: { ...held, ...unarmed, notice: { text, bad: true } } })
  if (total < offered.least) return refuse(`Enter ${formatMoney(offered.least)} or more`)
  const early = press.typed ? undefined : tooEarly(held, nowMs)
  if (early !== undefined) return refuse(early)
  const chosen = { kind: offered.kind, total, at }
  if (isFar(offered.kind, total, offered.next)) return { next: { ...held, ...unarmed, asked: chosen } }
  if (!press.oneTap) return { next: { ...held, ...unarmed, armed: { ...chosen, untilMs: nowMs + armedMs } } }
  if (press.focusedMs !== undefined && press.focusedMs < keyFocusMs)
    return refuse('Focus just moved here. Press again to bid.')
  return { next: { ...held, ...unarmed }, send: chosen }
}

function typedMaximum(held: Arming, { total, onTaken }: Pick<Chosen, 'total' | 'onTaken'>): Step {
  const chosen: Chosen = { kind: 'max', total, at: maximumAt, ...(onTaken && { onTaken }) }
  const next = { ...held, ...unarmed }
  return isFar('max', total, held.offered.next) ? { next: { ...next, asked: chosen } } : { next, send: chosen }
}

const isUnchanged = (chosen: Chosen | undefined, offered: Offered): boolean =>
  chosen === undefined || ((chosen.kind === offered.kind || chosen.at === maximumAt) && chosen.total >= offered.least)

function moved(held: Arming, offered: Offered, nowMs: number): Step {
  const before = held.offered
  // The first bid does not change the price, but it changes the amounts on the buttons.
  const isFirst = offered.kind === 'bid' && before.least !== offered.least
  const isMoved = before.base !== offered.base || before.kind !== offered.kind || isFirst
  const next = { ...held, offered, movedAtMs: isMoved ? nowMs : held.movedAtMs }
  if (isUnchanged(held.armed, offered) && isUnchanged(held.asked, offered)) return { next }
  return { next: { ...next, ...unarmed, notice: { text: `Price moved to ${formatMoney(offered.price)}`, bad: true } } }
}

function answered(held: Arming, yes: boolean): Step {
  const { asked } = held
  const next = { ...held, ...unarmed }
  return yes && asked ? { next, send: asked } : { next }
}

function canceled(held: Arming, say: string | undefined): Step {
  if (!held.armed && !held.asked) return { next: held }
  return { next: { ...held, ...unarmed, notice: say === undefined ? undefined : { text: say, bad: true } } }
}

/** Returns the next state and the bid to send, if any. Returns the same state object if nothing changes. */
export function stepArming(held: Arming, event: ArmingEvent, nowMs: number): Step {
  switch (event.is) {
    case 'press':
      return pressed(held, event.press, nowMs)
    case 'maximum':
      return typedMaximum(held, event)
    case 'offered':
      return moved(held, event.offered, nowMs)
    case 'answer':
      return answered(held, event.yes)
    case 'drop':
      return canceled(held, event.say)
    case 'tick':
      return held.armed && nowMs >= held.armed.untilMs ? { next: { ...held, armed: undefined } } : { next: held }
    case 'settled':
      return { next: { ...held, isNew: false } }
    case 'notice':
      return { next: { ...held, notice: event.notice } }
  }
}
