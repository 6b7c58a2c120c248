import { useEffect, useState } from 'react'
import { reasonOf } from '#client/lib/api.ts'
import { newId } from '#client/lib/new-id.ts'
import { formatMoney } from '#client/ui/format.ts'
import { bidIncrements } from '#shared/limits.ts'
import type { Auction } from '#shared/schemas/auctions.ts'
import { refusedBid, usePlaceBid } from './auctions.api.ts'

/** One button: what it adds, and what it comes to. Dollars. */
export interface Rung {
  label: string
  total: number
}

/** What the buttons do: a bid, or for the leader a higher maximum of their own. */
export const kindFor = (auction: Auction): 'bid' | 'max' =>
  auction.leader !== null && auction.leader === auction.you.number ? 'max' : 'bid'

/**
 * +$500, +$1,000 and +$2,500 on the price, on one's own maximum while leading. Before the first bid there is
 * the start itself as well. Smallest first.
 */
export function rungsOf(auction: Auction): Rung[] {
  const base =
    kindFor(auction) === 'max'
      ? Math.max(auction.amount ?? 0, auction.you.maximum ?? 0)
      : (auction.amount ?? auction.startAmount)
  const steps = bidIncrements.map((step) => ({ label: `+${formatMoney(step)}`, total: base + step }))
  return auction.amount === null ? [{ label: 'Start', total: base }, ...steps] : steps
}

export interface Bidding {
  /** The total that a first press has chosen and a second one places. */
  armed: number | undefined
  /** The total that is on its way. */
  placing: number | undefined
  /** What came of the last press, in words. */
  notice: { text: string; bad: boolean } | undefined
  press: (total: number) => void
  /** `onSet` once the server has taken it. */
  setMaximum: (amount: number, onSet: () => void) => void
}

const noticeMs = 6_000
const armedMs = 6_000

/** Pressing, confirming and placing. A price that moves takes a chosen total back: nobody bids on what they did not see. */
export function useBidding(auction: Auction, oneTap: boolean): Bidding {
  const place = usePlaceBid(auction.postId)
  const [chosen, setChosen] = useState<{ total: number; at: number | null }>()
  const [notice, setNotice] = useState<Bidding['notice']>()
  const armed = chosen?.at === auction.amount ? chosen.total : undefined
  useEffect(() => {
    if (!chosen) return
    const timer = setTimeout(() => setChosen(undefined), armedMs)
    return () => clearTimeout(timer)
  }, [chosen])
  useEffect(() => {
    if (!notice) return
    const timer = setTimeout(() => setNotice(undefined), noticeMs)
    return () => clearTimeout(timer)
  }, [notice])

  const send = (kind: 'bid' | 'max', total: number, onPlaced?: () => void) => {
    setChosen(undefined)
    setNotice(undefined)
    place.mutate(
      { kind, amount: total, key: newId() },
      {
        onSuccess: ({ leading, amount: now }) => {
          onPlaced?.()
          if (!leading) setNotice({ text: `Another dealer’s maximum went to ${formatMoney(now)}`, bad: true })
          else if (kind === 'max') setNotice({ text: `We bid for you up to ${formatMoney(total)}`, bad: false })
        },
        onError: (error) => {
          const refused = refusedBid(error)
          const moved = refused?.code === 'TOO_LOW' && refused.amount !== null
          setNotice({ text: moved ? `Bid changed to ${formatMoney(refused.amount ?? 0)}` : reasonOf(error), bad: true })
        },
      },
    )
  }
  return {
    armed,
    placing: place.isPending ? place.variables.amount : undefined,
    notice,
    press: (total) => {
      if (oneTap || armed === total) send(kindFor(auction), total)
      else setChosen({ total, at: auction.amount })
    },
    setMaximum: (total, onSet) => send('max', total, onSet),
  }
}
