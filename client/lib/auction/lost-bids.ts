import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { formatMoney } from '#shared/format.ts'
import type { Auction } from '#shared/schemas/auctions.ts'
import { ApiError } from '../http/api.ts'
import type { Notice } from './bid-arming.ts'
import { auctionQuery, type BidIntent, isAnswerLost, refusedBid, sendBid } from './cached-auctions.ts'

const askAgainMs = 2_000

/** Finds out the result of a bid whose response was lost, and passes it to `onFound`. Asks until the server answers. */
export function useLostBidResult(postId: string, lost: BidIntent | undefined, onFound: (notice: Notice) => void): void {
  const cache = useQueryClient()
  const found = useEffectEvent(onFound)
  useEffect(() => {
    if (!lost) return
    let timer: ReturnType<typeof setTimeout> | undefined
    let isOver = false
    const ask = async () => {
      const auction = await cache.fetchQuery({ ...auctionQuery(postId), staleTime: 0, retry: false })
      return isOver ? undefined : (noticeOfAuction(auction, lost) ?? replay(auction, lost))
    }
    const askUntilAnswered = () => {
      ask().then(
        (notice) => {
          if (!isOver && notice) found(notice)
        },
        () => {
          if (!isOver) timer = setTimeout(askUntilAnswered, askAgainMs)
        },
      )
    }
    askUntilAnswered()
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [lost, cache, postId])
}

const nameOf = ({ kind, amount }: BidIntent) => `${kind === 'max' ? 'maximum' : 'bid'} of ${formatMoney(amount)}`

const rejected = (lost: BidIntent): Notice => ({ text: `Your ${nameOf(lost)} was not accepted`, bad: true })

function accepted({ leader, you, amount }: Auction, lost: BidIntent): Notice {
  const text = `Your ${nameOf(lost)} was accepted`
  if (leader === null || leader === you.number || amount === null) return { text, bad: false }
  return { text: `${text}, then outbid at ${formatMoney(amount)}`, bad: true }
}

/** Returns undefined if the auction does not reveal whether the bid was accepted. */
function noticeOfAuction(auction: Auction, lost: BidIntent): Notice | undefined {
  const { bids, you, leader, minNext } = auction
  const { kind, amount } = lost
  if (kind === 'max' && leader !== null && leader === you.number && you.maximum !== null) {
    if (you.maximum === amount) return accepted(auction, lost)
    return { text: `Your maximum is ${formatMoney(you.maximum)}, not ${formatMoney(amount)}`, bad: true }
  }
  if (kind === 'bid' && bids.some((bid) => bid.bidder === you.number && bid.amount === amount))
    return accepted(auction, lost)
  // The price would have reached an accepted bid, or a maximum that no longer leads.
  return amount >= minNext ? rejected(lost) : undefined
}

/**
 * Sends a bid again under its key. Call it only if the price has passed the bid: the server then returns the first result or a refusal,
 * and cannot accept the bid only now.
 */
async function replay(auction: Auction, lost: BidIntent): Promise<Notice> {
  try {
    await sendBid(auction.postId, lost)
    return accepted(auction, lost)
  } catch (error) {
    if (isAnswerLost(error) || (error instanceof ApiError && error.status === 429)) throw error
    if (refusedBid(error) !== undefined) return rejected(lost)
    // Before the server looks for the first result, it checks whether the dealer may bid at all.
    return { text: `We could not confirm your ${nameOf(lost)}. Check the bids.`, bad: true }
  }
}
