import MessageSquare from 'lucide-react/icons/message-square'
import { useCurrentDealer } from '#client/lib/session/current-dealer.ts'
import { Dot } from '#client/ui/badge.tsx'
import { Button } from '#client/ui/button.tsx'
import { facilitatorName } from '#shared/facilitators.ts'
import type { Post } from '#shared/schemas/posts.ts'

/** Shown if a post's text mentions an auction but the post has no auction on Lanewire. Lets other dealers ask the author about it. */
export function AuctionInquiry({ post, onAsk }: { post: Post; onAsk: () => void }) {
  const own = post.dealer.id === useCurrentDealer().id
  return (
    <div
      role="group"
      aria-label="Auction"
      data-no-open
      className="flex cursor-auto flex-col gap-2 rounded-md border border-live-line bg-live-soft p-3"
    >
      <p className="flex items-center gap-1 text-xs font-semibold text-live-ink">
        <Dot tone="live" />
        Auction
      </p>
      {post.auctionFacilitator ? (
        <dl>
          <dt className="text-xs text-ink-2">Facilitator</dt>
          <dd className="font-semibold">{facilitatorName(post.auctionFacilitator)}</dd>
        </dl>
      ) : null}
      <p className="text-xs text-ink-2">
        {own
          ? 'Bidding is not open. To open it, edit the post and switch on “Run a live auction”.'
          : 'Bidding is not open.'}
      </p>
      {own ? null : (
        <Button block className="mt-auto" icon={<MessageSquare size={16} aria-hidden="true" />} onClick={onAsk}>
          Ask about this auction
        </Button>
      )}
    </div>
  )
}
