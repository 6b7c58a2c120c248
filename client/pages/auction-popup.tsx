import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import { AuctionPopup } from '#client/features/auctions/auction-popup.tsx'
import { auctionQuery, hasGap } from '#client/lib/held-auctions.ts'
import { closeAuction, useOpenedAuction } from '#client/features/auctions/auctions.store.ts'
import { PostSummary } from '#client/features/posts/card/post-summary.tsx'
import { ApiError } from '#client/lib/api.ts'
import { postQuery } from '#client/lib/held-posts.ts'
import { useJoined } from '#client/lib/views.ts'
import { useRoomBeside } from '#client/ui/side-panel.tsx'
import type { Post } from '#shared/schemas/posts.ts'

/** Once, in the frame: the auction that somebody has opened, on whichever card. */
export function OpenedAuction() {
  const post = useOpenedAuction()
  return post ? <Opened key={post.id} known={post} /> : null
}

function Opened({ known }: { known: Post }) {
  const { data: post = known, error } = useQuery(postQuery(known.id))
  const { data: auction, refetch } = useQuery(auctionQuery(known.id))
  useJoined('post', known.id, auction !== undefined, () => void refetch({ cancelRefetch: false }))
  const gap = auction !== undefined && hasGap(auction)
  useEffect(() => {
    if (gap) void refetch()
  }, [gap, refetch])
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
