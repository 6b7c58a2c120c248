import { formatMoney } from '#shared/format.ts'
import type { Auction } from '#shared/schemas/auctions.ts'

// Between a press and a bid: a machine without a clock, a network or a screen of its own.

/** An armed amount is confirmed within so long. */
export const armedMs = 6_000
/** So long after the amounts on the buttons have changed, or all of it came, a first press may have been meant for what stood there before. */
export const settleMs = 250
/** A place has had the focus for so long before a key bids at once in it. */
const keyFocusMs = 300

/** What a press does: a bid, or for the leader a higher maximum of their own. */
export type BidKind = 'bid' | 'max'

/** What is above so many times the next bid is asked about: a digit too many. A maximum looks further ahead. */
const jumpFactors: Record<BidKind, number> = { bid: 1.25, max: 2 }

/** Whether an amount is so far above the next bid that it is worth a question. */
export const isFar = (kind: BidKind, total: number, next: number): boolean => total > jumpFactors[kind] * next

/** What the buttons are made of. Dollars. */
export interface Offered {
  kind: BidKind
  /** What the steps are added to. */
  base: number
  /** The least that would be taken. */
  least: number
  /** The price as it stands, in words about it. */
  price: number
  /** The next bid, whoever makes it. */
  next: number
}

/** What the buttons do: a bid, or for the leader a higher maximum of their own. */
export const kindFor = ({ leader, you }: Pick<Auction, 'leader' | 'you'>): BidKind =>
  leader !== null && leader === you.number ? 'max' : 'bid'

type OfferedOf = Pick<Auction, 'leader' | 'you' | 'amount' | 'startAmount' | 'minNext'>

export function offeredBy(auction: OfferedOf): Offered {
  const { amount, startAmount, minNext, you } = auction
  const price = amount ?? startAmount
  if (kindFor(auction) === 'bid') return { kind: 'bid', base: price, least: minNext, price, next: minNext }
  return { kind: 'max', base: Math.max(price, you.maximum ?? 0), least: price, price, next: minNext }
}

/** An amount that was chosen, by which of the controls. */
interface Chosen {
  kind: BidKind
  /** Dollars. */
  total: number
  /** The label of the step, or of the field. */
  at: string
  /** What is to be done once the server has taken it. */
  onTaken?: () => void
}

/** Where a maximum is typed: it may be set whether one leads or not. */
export const maximumAt = 'maximum'

export interface Notice {
  text: string
  bad: boolean
}

export interface Arming {
  offered: Offered
  /** It has just come where something else stood, or nothing, and has not settled. */
  isNew: boolean
  /** When the amounts on the buttons last changed. */
  movedAtMs: number
  /** Chosen by a first press; a second one sends it. */
  armed: (Chosen & { untilMs: number }) | undefined
  /** Far above the next bid: sent once that was asked about. */
  asked: Chosen | undefined
  notice: Notice | undefined
}

export interface Press {
  /** What the control says that it costs. */
  total: number
  at: string
  /** A press bids at once: the dealer's setting. */
  oneTap: boolean
  /** Typed into a field, where no amount changes by itself. */
  typed?: boolean
  /** How long the place has had the focus; of a press by key that is not on the control itself. */
  focusedMs?: number
}

export type ArmingEvent =
  | { is: 'press'; press: Press }
  /** A maximum was typed: sent at once, unless it is worth a question. */
  | ({ is: 'maximum' } & Pick<Chosen, 'total' | 'onTaken'>)
  /** The auction as it is now. */
  | { is: 'offered'; offered: Offered }
  /** Yes or no to what was asked. */
  | { is: 'answer'; yes: boolean }
  /** Escape, focus elsewhere, another window, no connection, the end; `say` where that needs a word. */
  | { is: 'drop'; say?: string }
  /** Time has passed. */
  | { is: 'tick' }
  /** What has come has been there for {@link settleMs}. */
  | { is: 'settled' }
  | { is: 'notice'; notice: Notice | undefined }

/** What is to be sent; nothing else is. */
export type Send = Chosen

interface Step {
  next: Arming
  send?: Send
}

/** Nothing is chosen. @param isNew it has just come where something else stood, or nothing */
export const idle = (offered: Offered, isNew = false): Arming => ({
  offered,
  isNew,
  movedAtMs: Number.NEGATIVE_INFINITY,
  armed: undefined,
  asked: undefined,
  notice: undefined,
})

const calm = { armed: undefined, asked: undefined, notice: undefined }

/** Why a first press may have been meant for what stood there before. */
function tooEarly({ offered, isNew, movedAtMs }: Arming, nowMs: number): string | undefined {
  if (nowMs - movedAtMs < settleMs) return `Price just moved to ${formatMoney(offered.price)}. Press again.`
  return isNew ? 'A different auction just moved here. Press again to bid.' : undefined
}

function pressed(held: Arming, press: Press, nowMs: number): Step {
  const { armed, offered } = held
  const { total, at } = press
  if (armed && armed.at === at && armed.total === total && nowMs < armed.untilMs)
    return { next: { ...held, ...calm }, send: { kind: armed.kind, total, at } }
  const refuse = (text: string): Step => ({ next: { ...held, ...calm, notice: { text, bad: true } } })
  if (total < offered.least) return refuse(`Enter ${formatMoney(offered.least)} or more`)
  const early = press.typed ? undefined : tooEarly(held, nowMs)
  if (early !== undefined) return refuse(early)
  const chosen = { kind: offered.kind, total, at }
  if (isFar(offered.kind, total, offered.next)) return { next: { ...held, ...calm, asked: chosen } }
  if (!press.oneTap) return { next: { ...held, ...calm, armed: { ...chosen, untilMs: nowMs + armedMs } } }
  if (press.focusedMs !== undefined && press.focusedMs < keyFocusMs)
    return refuse('Focus just moved here. Press again to bid.')
  return { next: { ...held, ...calm }, send: chosen }
}

function typedMaximum(held: Arming, { total, onTaken }: Pick<Chosen, 'total' | 'onTaken'>): Step {
  const chosen: Chosen = { kind: 'max', total, at: maximumAt, ...(onTaken && { onTaken }) }
  const next = { ...held, ...calm }
  return isFar('max', total, held.offered.next) ? { next: { ...next, asked: chosen } } : { next, send: chosen }
}

/** Whether what was chosen may still be sent as it was read. */
const stands = (chosen: Chosen | undefined, offered: Offered): boolean =>
  chosen === undefined || ((chosen.kind === offered.kind || chosen.at === maximumAt) && chosen.total >= offered.least)

function moved(held: Arming, offered: Offered, nowMs: number): Step {
  const before = held.offered
  // The first bid leaves the price as it was, and moves the buttons all the same.
  const isFirst = offered.kind === 'bid' && before.least !== offered.least
  const isMoved = before.base !== offered.base || before.kind !== offered.kind || isFirst
  const next = { ...held, offered, movedAtMs: isMoved ? nowMs : held.movedAtMs }
  if (stands(held.armed, offered) && stands(held.asked, offered)) return { next }
  return { next: { ...next, ...calm, notice: { text: `Price moved to ${formatMoney(offered.price)}`, bad: true } } }
}

function answered(held: Arming, yes: boolean): Step {
  const { asked } = held
  const next = { ...held, ...calm }
  return yes && asked ? { next, send: asked } : { next }
}

function dropped(held: Arming, say: string | undefined): Step {
  if (!held.armed && !held.asked) return { next: held }
  return { next: { ...held, ...calm, notice: say === undefined ? undefined : { text: say, bad: true } } }
}

/** What becomes of it, and what is sent. The same object where nothing changes. */
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
      return dropped(held, event.say)
    case 'tick':
      return held.armed && nowMs >= held.armed.untilMs ? { next: { ...held, armed: undefined } } : { next: held }
    case 'settled':
      return { next: { ...held, isNew: false } }
    case 'notice':
      return { next: { ...held, notice: event.notice } }
  }
}
