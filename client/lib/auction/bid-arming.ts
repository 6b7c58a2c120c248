import { formatMoney } from '#shared/format.ts'
import type { Auction } from '#shared/schemas/auctions.ts'

/** How long, in milliseconds, the dealer can confirm an armed amount by pressing it again. */
export const armedMs = 6_000
/** For this many milliseconds after a price change, presses are rejected, because the dealer may have meant the old amount. */
export const settleMs = 250
/** With one-tap bidding, a key press is rejected if the Lane row got focus less than this many milliseconds ago. */
const keyFocusMs = 300

/** `bid` places a bid. `max` sets a new maximum for the dealer who already leads. */
export type BidKind = 'bid' | 'max'

/** An amount needs confirmation if it is larger than the next bid times this factor. */
const jumpFactors: Record<BidKind, number> = { bid: 1.25, max: 2 }

export const isFarAbove = (kind: BidKind, total: number, next: number): boolean => total > jumpFactors[kind] * next

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

/** Value of `at` (the control that was used) for a typed maximum. It stays valid when the dealer gains or loses the lead. */
export const maximumAt = 'maximum'

export interface Notice {
  text: string
  bad: boolean
}

export interface Arming {
  offered: Offered
  /** True if this auction took the place of another one on screen less than {@link settleMs} ago. */
  isNew: boolean
  movedAtMs: number
  armed: (Chosen & { untilMs: number }) | undefined
  asked: Chosen | undefined
  notice: Notice | undefined
}

export interface Press {
  total: number
  at: string
  oneTap: boolean
  /** True if the amount was typed into a field, so that a price change does not affect it. */
  typed?: boolean
  /** Milliseconds since the Lane row got focus. Set only if a key was pressed while the focus was not on the button itself. */
  focusedMs?: number
}

export type ArmingEvent =
  | { is: 'press'; press: Press }
  | ({ is: 'maximum' } & Pick<Chosen, 'total' | 'onTaken'>)
  | { is: 'offered'; offered: Offered }
  | { is: 'answer'; yes: boolean }
  /** Cancels the chosen amount, for example on Escape, on loss of focus, or when the auction ends. Shows the notice `say`. */
  | { is: 'drop'; say?: string }
  | { is: 'tick' }
  /** The auction has been on screen for {@link settleMs}, so presses are accepted from now on. */
  | { is: 'settled' }
  | { is: 'notice'; notice: Notice | undefined }

export type Send = Chosen

interface Step {
  next: Arming
  send?: Send
}

/** @param isNew true if the auction has just taken the place of another one on screen */
export const idle = (offered: Offered, isNew = false): Arming => ({
  offered,
  isNew,
  movedAtMs: Number.NEGATIVE_INFINITY,
  armed: undefined,
  asked: undefined,
  notice: undefined,
})

const unarmed = { armed: undefined, asked: undefined, notice: undefined }

/** Returns a message if the dealer may have meant the previous amounts or auction. Returns undefined if the press is accepted. */
function earlyPressRefusal({ offered, isNew, movedAtMs }: Arming, nowMs: number): string | undefined {
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
  const early = press.typed ? undefined : earlyPressRefusal(held, nowMs)
  if (early !== undefined) return refuse(early)
  const chosen = { kind: offered.kind, total, at }
  if (isFarAbove(offered.kind, total, offered.next)) return { next: { ...held, ...unarmed, asked: chosen } }
  if (!press.oneTap) return { next: { ...held, ...unarmed, armed: { ...chosen, untilMs: nowMs + armedMs } } }
  if (press.focusedMs !== undefined && press.focusedMs < keyFocusMs)
    return refuse('Focus just moved here. Press again to bid.')
  return { next: { ...held, ...unarmed }, send: chosen }
}

function typedMaximum(held: Arming, { total, onTaken }: Pick<Chosen, 'total' | 'onTaken'>): Step {
  const chosen: Chosen = { kind: 'max', total, at: maximumAt, ...(onTaken && { onTaken }) }
  const next = { ...held, ...unarmed }
  return isFarAbove('max', total, held.offered.next) ? { next: { ...next, asked: chosen } } : { next, send: chosen }
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

/** Returns the next state and the bid to send, if there is one. Returns the same state object if the event changes nothing. */
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
