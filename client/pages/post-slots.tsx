import { type ReactNode, useState } from 'react'
import { AuctionBlock } from '#client/features/auctions/auction-block.tsx'
import { DealerDialog } from '#client/features/dealers/dealer-dialog.tsx'
import { PostSummary } from '#client/features/posts/post-summary.tsx'
import type { PostCardSlots } from '#client/features/posts/post-card-slots.ts'
import type { Dealer } from '#shared/schemas/dealers.ts'

/** What other features add to post cards, the same in the feed and on the single post: here they meet. */
export function usePostSlots(): { slots: PostCardSlots; dialogs: ReactNode } {
  const [profile, setProfile] = useState<Dealer>()
  return {
    slots: {
      onDealerProfile: setProfile,
      renderAuction: (post) => (
        <AuctionBlock post={post}>
          <PostSummary aiSummary={post.aiSummary} />
        </AuctionBlock>
      ),
    },
    dialogs: profile ? <DealerDialog dealer={profile} onClose={() => setProfile(undefined)} /> : null,
  }
}
