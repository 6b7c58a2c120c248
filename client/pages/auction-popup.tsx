import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import { AuctionPopup } from '#client/features/auctions/auction-popup.tsx'
import { auctionQuery, hasGap } from '#client/lib/auction/cached-auctions.ts'
import { closeAuction, useOpenedAuction } from '#client/features/auctions/auction-popup.store.ts'
import { PostSummary } from '#client/features/posts/card/post-summary.tsx'
import { ApiError } from '#client/lib/http/api.ts'
import { postQuery } from '#client/lib/post/cached-posts.ts'
import { runPaced } from '#client/lib/live/delayed-calls.ts'
import { useJoined } from '#client/lib/live/room-views.ts'
import { useRoomBeside } from '#client/ui/side-panel.tsx'
import type { Auction } from '#shared/schemas/auctions.ts'
import type { Post } from '#shared/schemas/posts.ts'

const historyEveryMs = 3_000

/** Shows the auction that the dealer opened from any card. Mounted once, in the frame. */
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
  useCloseOnNavigation()
  // The post was deleted or hidden while the auction was open.
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

/** Refetches the auction at intervals while its bid history has gaps, because events omit some bids under heavy bidding. */
function useWholeHistory(auction: Auction | undefined): void {
  const cache = useQueryClient()
  const [gap, postId, seq] = [auction !== undefined && hasGap(auction), auction?.postId ?? '', auction?.seq]
  useEffect(() => {
    const ask = () => void cache.invalidateQueries({ queryKey: auctionQuery(postId).queryKey })
    if (gap) runPaced(`auction.history.${postId}`, historyEveryMs, ask)
  }, [gap, postId, seq, cache])
}

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

/** Pages on which an auction stays open in the panel beside the page. Navigation to any other page closes the auction. */
const staysBeside = /^\/(?:$|notifications$|post\/)/

function useCloseOnNavigation() {
  const [path] = useLocation()
  const [from] = useState(path)
  const isBeside = useRoomBeside()
  const left = useEffectEvent(() => {
    if (path !== from && !(isBeside && staysBeside.test(path))) closeAuction()
  })
  useEffect(() => left(), [path])
}
