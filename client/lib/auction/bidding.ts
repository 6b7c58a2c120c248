import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { formatMoney } from '#shared/format.ts'
import { bidIncrements } from '#shared/limits.ts'
import type { Auction, RefusedBid } from '#shared/schemas/auctions.ts'
import { reasonOf, reasonOr } from '../http/api.ts'
import {
  type Arming,
  type ArmingEvent,
  armedMs,
  type BidKind,
  idle,
  type Notice,
  offeredBy,
  type Press,
  type Send,
  settleMs,
  stepArming,
} from './bid-arming.ts'
import { type BidIntent, isAnswerLost, refusedBid, usePlaceBid } from './cached-auctions.ts'
import { useLostBidResult } from './lost-bids.ts'
import { newId } from '../http/new-id.ts'

export interface BidStep {
  label: string
  total: number
}

/** Returns the bid buttons, smallest amount first: the starting amount (only before the first bid) and fixed increments. */
export function bidStepsOf(auction: Auction): BidStep[] {
  const { base } = offeredBy(auction)
  const steps = bidIncrements.map((step) => ({ label: `+${formatMoney(step)}`, total: base + step }))
  return auction.amount === null ? [{ label: 'Start', total: base }, ...steps] : steps
}

export interface Bidding {
  armed: Arming['armed']
  asked: Arming['asked']
  next: number
  placing: number | undefined
  notice: Notice | undefined
  /** True if the response to a bid was lost, and it is not known yet whether the bid counted. */
  isUnknown: boolean
  /** The bid that was rejected because of the daily limit. Undefined once its notice disappears. */
  overLimit: OverLimit | undefined
  press: (press: Omit<Press, 'oneTap'>) => void
  answer: (yes: boolean) => void
  drop: () => void
  /** Sets a maximum. Asks first if it is far above the next bid. `onSet` runs once the server has accepted the maximum. */
  setMaximum: (amount: number, onSet: () => void) => void
}

/** Amounts are in dollars. Older servers do not send `used` and `limit`. */
interface OverLimit extends Pick<RefusedBid, 'used' | 'limit'> {
  total: number
}

const noticeMs = 6_000

interface BiddingOptions {
  oneTap: boolean
  isOpen: boolean
  isOffline: boolean
  /** True if the auction has just taken the place of another one here, so that a press may be meant for the previous auction. */
  justAppeared?: boolean
}

const stepNow = (held: Arming, event: ArmingEvent) => stepArming(held, event, Date.now())

/** State and actions of the bid buttons. Prevents bids at an amount that changed before the dealer could read it. */
export function useBidding(auction: Auction, { oneTap, isOpen, isOffline, justAppeared }: BiddingOptions): Bidding {
  const place = usePlaceBid(auction.postId)
  const [held, setHeld] = useState(() => idle(offeredBy(auction), justAppeared))
  const latest = useRef(held)
  const [overLimit, setOverLimit] = useState<OverLimit>()
  const [lost, setLost] = useState<BidIntent>()

  function act(event: ArmingEvent) {
    const { next, send } = stepNow(latest.current, event)
    latest.current = next
    setHeld(next)
    if (send) submit(send)
  }
  function submit(send: Send) {
    const { kind, total, onTaken } = send
    const intent: BidIntent = { kind, amount: total, key: newId() }
    setOverLimit(undefined)
    place.mutate(intent, {
      onSuccess: ({ leading, amount: now }) => {
        onTaken?.()
        act({ is: 'notice', notice: noticeOfPlaced(kind, total, leading, now) })
      },
      onError: (error) => {
        if (isAnswerLost(error)) return setLost(intent)
        const refused = refusedBid(error)
        if (refused?.code === 'LIMIT') setOverLimit({ ...refused, total })
        act({ is: 'notice', notice: { text: wordsOf(error, refused), bad: true } })
      },
    })
  }
  useLostBidResult(auction.postId, lost, (notice) => {
    setLost(undefined)
    act({ is: 'notice', notice })
  })
  useArmingEvents(auction, { isOpen, isOffline }, act)
  useLifetimes(held, act)
  const isPlacing = place.isPending
  return {
    armed: held.armed,
    asked: held.asked,
    next: held.offered.next,
    placing: isPlacing ? place.variables.amount : undefined,
    notice: held.notice,
    isUnknown: lost !== undefined,
    overLimit: held.notice && overLimit,
    press: (press) => {
      if (!isOpen || isPlacing || lost !== undefined) return
      setOverLimit(undefined)
      act({ is: 'press', press: { ...press, oneTap } })
    },
    answer: (yes) => act({ is: 'answer', yes: yes && isOpen && !isPlacing }),
    drop: () => act({ is: 'drop' }),
    setMaximum: (total, onSet) => {
      if (isPlacing || lost !== undefined) return
      act({ is: 'maximum', total, onTaken: onSet })
    },
  }
}

function noticeOfPlaced(kind: BidKind, total: number, leading: boolean, now: number): Notice | undefined {
  if (!leading) return { text: `Another dealer's maximum raised the bid to ${formatMoney(now)}`, bad: true }
  return kind === 'max' ? { text: `We'll bid for you up to ${formatMoney(total)}`, bad: false } : undefined
}

function wordsOf(error: Error, refused: RefusedBid | undefined): string {
  if (refused?.code === 'TOO_LOW' && refused.amount !== null) return `Price moved to ${formatMoney(refused.amount)}`
  if (refused === undefined) return reasonOf(error)
  const otherwise =
    refused.code === 'LIMIT'
      ? 'This would put you over your day limit'
      : 'Your bid was not accepted. Check the price and press again.'
  return reasonOr(otherwise, error)
}

type Act = (event: ArmingEvent) => void

function useArmingEvents(
  auction: Auction,
  { isOpen, isOffline }: Pick<BiddingOptions, 'isOpen' | 'isOffline'>,
  act: Act,
) {
  const { kind, base, least, price, next } = offeredBy(auction)
  const dispatch = useEffectEvent(act)
  // Use a layout effect, so that the state machine gets new amounts before they are painted and can be pressed.
  useLayoutEffect(
    () => dispatch({ is: 'offered', offered: { kind, base, least, price, next } }),
    [kind, base, least, price, next],
  )
  useEffect(() => {
    if (!isOpen) dispatch({ is: 'drop', ...(isOffline && { say: 'No bid was placed.' }) })
  }, [isOpen, isOffline])
  useEffect(() => {
    const leave = () => dispatch({ is: 'drop' })
    window.addEventListener('blur', leave)
    return () => window.removeEventListener('blur', leave)
  }, [])
}

function useLifetimes({ isNew, armed, notice }: Arming, act: Act) {
  const dispatch = useEffectEvent(act)
  useEffect(() => {
    if (!isNew) return
    const timer = setTimeout(() => dispatch({ is: 'settled' }), settleMs)
    return () => clearTimeout(timer)
  }, [isNew])
  useEffect(() => {
    if (!armed) return
    const timer = setTimeout(() => dispatch({ is: 'tick' }), armedMs)
    return () => clearTimeout(timer)
  }, [armed])
  useEffect(() => {
    if (!notice) return
    const timer = setTimeout(() => dispatch({ is: 'notice', notice: undefined }), noticeMs)
    return () => clearTimeout(timer)
  }, [notice])
}
