import { type ReactNode, Suspense, useEffect, useState } from 'react'
import { AuctionBadges } from '#client/features/auctions/auction-badges.tsx'
import { AuctionBlock } from '#client/features/auctions/card-auction.tsx'
import { AuctionInquiry } from '#client/features/auctions/auction-inquiry.tsx'
import { openChatWith } from '#client/features/messaging/open-chat-with.ts'
import { loadWhenIdle } from '#client/lib/screen/load-when-idle.ts'
import { lazyPart } from '#client/lib/screen/lazy-part.ts'
import type { PostCardSlots } from '#client/features/posts/card/post-card-slots.ts'
import { buttonClass } from '#client/ui/button.tsx'
import { Loading, SkeletonRows } from '#client/ui/skeleton.tsx'
import type { Post } from '#shared/schemas/posts.ts'
import { MessageDialog, useDealerPopup } from './dealer-popup.tsx'
import { WatchButton } from '#client/features/saved/watch-button.tsx'

const loadOffer = () => import('./card-offer.tsx')
const CardOffer = lazyPart(async () => (await loadOffer()).CardOffer)

function useOffers(): boolean {
  const [areLoaded, setLoaded] = useState(false)
  useEffect(() => loadWhenIdle(() => loadOffer().then(() => setLoaded(true))), [])
  return areLoaded
}

/** Reserves the space of the offer button until the button's code has loaded, so that the card does not move. */
function OfferPlace({ post: { hasAuction, status, vehicles } }: { post: Post }) {
  if (hasAuction || status !== 'active' || vehicles[0]?.status !== 'available') return null
  return <span className={buttonClass({ size: 'sm', className: 'invisible' })}>Make offer</span>
}

// Loaded once the feed has settled, or earlier on demand.
const loadComments = () => import('#client/features/comments/post-comments.tsx')
const PostComments = lazyPart(async () => (await loadComments()).PostComments)

function Comments(comments: { postId: string; id: string }) {
  const waiting = (
    <section id={comments.id} aria-label="Comments" className="rounded-b-md border-t border-line bg-sunken px-4 py-3">
      <Loading label="Loading comments">
        <SkeletonRows rows={2} />
      </Loading>
    </section>
  )
  return (
    <Suspense fallback={waiting}>
      <PostComments {...comments} />
    </Suspense>
  )
}

// Loaded on demand, because few posts have a spreadsheet.
const SheetNotice = lazyPart(async () => (await import('#client/features/posting/spreadsheet-notice.tsx')).SheetNotice)

/** Collects the parts that other features add to post cards. */
export function usePostSlots(): { slots: PostCardSlots; dialogs: ReactNode } {
  const { showProfile, popup } = useDealerPopup()
  const [asked, setAsked] = useState<Post>()
  const hasOffers = useOffers()
  useEffect(() => loadWhenIdle(loadComments), [])
  return {
    slots: {
      onDealerProfile: showProfile,
      onMessage: (dealer, post) => void openChatWith(dealer.id, { post }),
      renderComments: (post, id) => <Comments postId={post.id} id={id} />,
      renderOffer: (post) => (
        <Suspense fallback={<OfferPlace post={post} />}>
          {hasOffers ? <CardOffer post={post} /> : <OfferPlace post={post} />}
        </Suspense>
      ),
      renderToggles: (post) => <WatchButton postId={post.id} />,
      renderNotice: (post) =>
        post.type === 'spreadsheet' ? (
          <Suspense>
            <SheetNotice postId={post.id} version={post.version} />
          </Suspense>
        ) : null,
      renderBadges: (post) => (post.hasAuction ? <AuctionBadges post={post} /> : null),
      renderAuction: (post) =>
        post.hasAuction ? <AuctionBlock post={post} /> : <AuctionInquiry post={post} onAsk={() => setAsked(post)} />,
    },
    dialogs: (
      <>
        {popup}
        <Suspense>
          {asked ? (
            <MessageDialog
              dealer={asked.dealer}
              postId={asked.id}
              open
              onOpenChange={(open) => !open && setAsked(undefined)}
            />
          ) : null}
        </Suspense>
      </>
    ),
  }
}
