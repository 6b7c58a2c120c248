import { useQuery } from '@tanstack/react-query'
import TriangleAlert from 'lucide-react/icons/triangle-exclamation-point'
import { type ReactNode, useId } from 'react'
import { NetworkError } from '#client/lib/http/api.ts'
import { useCurrentDealer } from '#client/lib/session/current-dealer.ts'
import { postQuery } from '#client/lib/post/cached-posts.ts'
import { useOpened } from '#client/lib/post/count-views.ts'
import { useView } from '#client/lib/live/room-views.ts'
import { ButtonLink } from '#client/ui/button-link.tsx'
import { Card } from '#client/ui/card.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { HiddenNotice } from '#client/ui/hidden-notice.tsx'
import { InlineError } from '#client/ui/inline-error.tsx'
import { useNarrow } from '#client/ui/screen-width.ts'
import type { PostDetail, Vehicle } from '#shared/schemas/posts.ts'
import { mentionsAuction } from '#shared/auction-rules.ts'
import { PostPageSkeleton } from './post-page-skeleton.tsx'
import { PhotoGallery, photoGroups } from './photos/photo-gallery.tsx'
import { PostFooter } from './card/post-footer.tsx'
import type { PostCardSlots } from './card/post-card-slots.ts'
import { PostCounters } from './card/post-counters.tsx'
import { PostFacts } from './card/post-facts.tsx'
import { PostHeader } from './card/post-header.tsx'
import { PostOwnerMenu } from './card/post-owner-menu.tsx'
import { ReportPost } from './card/post-report.tsx'
import { PostSummary } from './card/post-summary.tsx'
import { PostVehicles } from './card/post-vehicles.tsx'
import { usePostCatchUp } from './posts-catch-up.ts'

interface SinglePostProps extends PostCardSlots {
  postId: string
  renderVehicleAction?: ((post: PostDetail, vehicle: Vehicle) => ReactNode) | undefined
}

export function SinglePost({ postId, ...slots }: SinglePostProps) {
  const post = useQuery(postQuery(postId))
  useView('post', postId)
  useView('auction', postId, post.data?.hasAuction === true)
  usePostCatchUp(postId, post.data?.version)
  if (post.data) return <LoadedPost post={post.data} {...slots} />
  if (post.isPending) return <PostPageSkeleton />
  if (post.error instanceof NetworkError) {
    return (
      <InlineError
        title="The post could not be loaded"
        message={post.error.reason}
        retrying={post.isFetching}
        onRetry={() => void post.refetch()}
      />
    )
  }
  return (
    <Card>
      <EmptyState
        level={1}
        icon={<TriangleAlert size={24} />}
        title="Post not found"
        hint="It may have been removed by the dealer."
        action={
          <ButtonLink href="/" variant="primary">
            Back to Feed
          </ButtonLink>
        }
      />
    </Card>
  )
}

function LoadedPost({ post, renderVehicleAction, ...slots }: { post: PostDetail } & Omit<SinglePostProps, 'postId'>) {
  useOpened(post.id)
  const me = useCurrentDealer()
  const own = post.dealer.id === me.id
  const isHidden = post.hidden === true
  const titleId = useId()
  const ownMenu = isHidden ? null : <PostOwnerMenu post={post} />
  const menu = own ? ownMenu : <ReportPost post={post} />
  const auction = mentionsAuction(post) ? slots.renderAuction?.(post) : null
  return (
    <>
      <article aria-labelledby={titleId}>
        <Card className="@container/card">
          <div className="px-4 pt-4 max-md:pt-3">
            <Photos post={post} first />
            <PostHeader post={post} badges={slots.renderBadges?.(post)} menu={menu} />
            {isHidden ? <HiddenNotice what="post" /> : null}
            <h1 id={titleId} className="mt-2 text-lg font-semibold tracking-lg text-pretty">
              {post.title}
            </h1>
            <p className="mt-2 text-base text-pretty whitespace-pre-line text-ink-2">{post.description}</p>
            <div className="mt-2">
              <PostFacts post={post} />
            </div>
            {own ? slots.renderNotice?.(post) : null}
            {auction ? <div className="mt-3">{auction}</div> : null}
            <Photos post={post} first={false} />
            <PostSummary post={post} level={2} />
            <PostCounters post={post} />
          </div>
          {isHidden ? <div className="pb-4" /> : <PostFooter post={post} own={own} startsOpen {...slots} />}
        </Card>
      </article>
      <PostVehicles
        post={post}
        own={own}
        renderAction={renderVehicleAction && ((vehicle) => renderVehicleAction(post, vehicle))}
      />
    </>
  )
}

/** Rendered twice: on a phone the first gallery is shown, above the text. On wider screens, the second one is shown, below the text. */
function Photos({ post, first }: { post: PostDetail; first: boolean }) {
  if (useNarrow() !== first) return null
  return <PhotoGallery groups={photoGroups(post)} title={post.title} first={first} />
}
