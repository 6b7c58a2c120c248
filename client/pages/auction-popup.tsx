import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import { AuctionPopup } from '#client/features/auctions/auction-popup.tsx'
import { auctionQuery, hasGap } from '#client/lib/held-auctions.ts'
import { closeAuction, useOpenedAuction } from '#client/features/auctions/auctions.store.ts'
import { PostSummary } from '#client/features/posts/card/post-summary.tsx'
import { ApiError } from '#client/lib/api.ts'
import { postQuery } from '#client/lib/held-posts.ts'
import { doPaced } from '#client/lib/later.ts'
import { useJoined } from '#client/lib/views.ts'
import { useRoomBeside } from '#client/ui/side-panel.tsx'
import type { Auction } from '#shared/schemas/auctions.ts'
import type { Post } from '#shared/schemas/posts.ts'

const historyEveryMs = 3_000

/** Once, in the frame: the auction that somebody has opened, on whichever card. */
export function OpenedAuction() {
  const post = useOpenedAuction()
  return post ? <Opened key={post.id} known={post} /> : null
}

function Opened({ known }: { known: Post }) {
  const { data: post = known, error } = useQuery(postQuery(known.id))
  const { data: auction, refetch } = useQuery(auctionQuery(known.id))
  useJoined('post', known.id, auction !== undefined, () => void refetch({ cancelRefetch: false }))
  useWholeHistory(auction)
  const close = useClose(known.id)
  useEndOnLeaving()
  // Removed, or hidden, while it was open.
  const isGone = error instanceof ApiError && error.status === 404
  useEffect(() => {
    if (isGone) closeAuction()
  }, [isGone])
  if (!auction || isGone) return null
  return (
    <AuctionPopup post={post} auction={auction} onClose={close}>
      <PostSummary post={post} />
    </AuctionPopup>
  )
}

/** Asks for the bids that no event told, which is so where many are placed at once: now and then, as the whole crowd has to. */
function useWholeHistory(auction: Auction | undefined): void {
  const cache = useQueryClient()
  const [gap, postId, seq] = [auction !== undefined && hasGap(auction), auction?.postId ?? '', auction?.seq]
  useEffect(() => {
    const ask = () => void cache.invalidateQueries({ queryKey: auctionQuery(postId).queryKey })
    if (gap) doPaced(`auction.history.${postId}`, historyEveryMs, ask)
  }, [gap, postId, seq, cache])
}

/** The address that has opened it says so no more. */
function useClose(postId: string): () => void {
  const [params, setParams] = useSearchParams()
  return () => {
    closeAuction()
    if (params.get('auction') !== postId) return
    setParams(
      (current) => {
        const wanted = new URLSearchParams(current)
        wanted.delete('auction')
        return wanted
      },
      { replace: true },
    )
  }
}

/** The feed and its posts, beside which an auction stays open; another page is what was asked for instead. */
const staysBeside = /^\/(?:$|notifications$|post\/)/

function useEndOnLeaving() {
  const [path] = useLocation()
  const [from] = useState(path)
  const isBeside = useRoomBeside()
  const left = useEffectEvent(() => {
    if (path !== from && !(isBeside && staysBeside.test(path))) closeAuction()
  })
  useEffect(() => left(), [path])
}
