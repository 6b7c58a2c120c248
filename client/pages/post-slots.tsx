import { useQuery } from '@tanstack/react-query'
import { type ReactNode, Suspense, useState } from 'react'
import { AuctionBadges } from '#client/features/auctions/auction-badges.tsx'
import { AuctionBlock } from '#client/features/auctions/auction-block.tsx'
import { AuctionInquiry } from '#client/features/auctions/auction-inquiry.tsx'
import { auctionQuery } from '#client/features/auctions/auctions.api.ts'
import { PostComments } from '#client/features/comments/post-comments.tsx'
import { OfferButton } from '#client/features/deals/offer-button.tsx'
import { openChatWith } from '#client/features/messaging/open-chat-with.ts'
import { SheetNotice } from '#client/features/posting/sheet-notice.tsx'
import type { PostCardSlots } from '#client/features/posts/post-card-slots.ts'
import type { Post } from '#shared/schemas/posts.ts'
import { MessageDialog, useDealerPopup } from './dealer-popup.tsx'
import { WatchButton } from '#client/features/saved/watch-button.tsx'

/** Whether an auction decides who buys, or may: then nobody makes an offer. */
export function useAtAuction(post: Pick<Post, 'id' | 'hasAuction'> | undefined): boolean {
  const hasAuction = post?.hasAuction === true
  const { data, isPending } = useQuery({ ...auctionQuery(post?.id ?? ''), enabled: hasAuction })
  return hasAuction && (isPending || data?.status === 'open' || data?.status === 'deciding')
}

function CardOffer({ post }: { post: Post }) {
  const atAuction = useAtAuction(post)
  const [vehicle] = post.vehicles
  return atAuction || vehicle === undefined ? null : <OfferButton post={post} vehicle={vehicle} />
}

/** What other features add to post cards, the same in the feed and on the single post: here they meet. */
export function usePostSlots(): { slots: PostCardSlots; dialogs: ReactNode } {
  const { showProfile, popup } = useDealerPopup()
  const [asked, setAsked] = useState<Post>()
  return {
    slots: {
      onDealerProfile: showProfile,
      onMessage: (dealer, post) => void openChatWith(dealer.id, { post }),
      renderComments: (post, id) => <PostComments postId={post.id} id={id} />,
      renderOffer: (post) => <CardOffer post={post} />,
      renderToggles: (post) => <WatchButton postId={post.id} />,
      renderNotice: (post) =>
        post.type === 'spreadsheet' ? <SheetNotice postId={post.id} version={post.version} /> : null,
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
