import { useQuery } from '@tanstack/react-query'
import Newspaper from 'lucide-react/icons/newspaper'
import { Redirect, useParams } from 'wouter'
import { PageLayout } from '#client/app/page-layout.tsx'
import { ProfileActions } from '#client/features/dealers/profile-actions.tsx'
import { ProfileMutual } from '#client/features/dealers/profile-mutual.tsx'
import { ProfileView } from '#client/features/dealers/profile-view.tsx'
import { dealerPostsQuery, dealerProfileQuery } from '#client/features/dealers/profile.api.ts'
import { openChatWith } from '#client/features/messaging/open-chat-with.ts'
import { PostCard } from '#client/features/posts/card/post-card.tsx'
import { ListedPost } from '#client/features/posts/listed-post.tsx'
import { ReviewList } from '#client/features/reviews/review-list.tsx'
import { useCurrentDealer } from '#client/lib/session/current-dealer.ts'
import { Card } from '#client/ui/card.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { QueryState } from '#client/ui/query-state.tsx'
import { SkeletonRows } from '#client/ui/skeleton.tsx'
import type { DealerProfile } from '#shared/schemas/dealers.ts'
import { HomeLeft } from './home-columns.tsx'
import { usePostSlots } from './post-slots.tsx'

export function DealerPage() {
  const { id = '' } = useParams<{ id: string }>()
  const me = useCurrentDealer()
  if (id === me.id) return <Redirect to="/dealer-profile" replace />
  return <OtherDealer key={id} id={id} />
}

function OtherDealer({ id }: { id: string }) {
  const profile = useQuery(dealerProfileQuery(id))
  return (
    <PageLayout
      title={profile.data?.name ?? 'Dealer Profile'}
      left={<HomeLeft />}
      right={rightOf(profile)}
      rightLabel="In common"
    >
      <ProfileView
        dealerId={id}
        own={false}
        renderActions={(dealer) => <ProfileActions profile={dealer} onMessage={() => void openChatWith(dealer.id)} />}
        renderActivity={(dealer) => <DealerPosts dealerId={dealer.id} />}
        renderReviews={({ id: dealerId }) => (
          <div className="p-4">
            <ReviewList dealerId={dealerId} />
          </div>
        )}
      />
    </PageLayout>
  )
}

/** Returns the right column. While the profile is loading, reserves the column's space. */
function rightOf({ data, isPending }: { data: DealerProfile | undefined; isPending: boolean }) {
  if (data) return <ProfileMutual profile={data} />
  return isPending ? <Card className="h-40" /> : undefined
}

function DealerPosts({ dealerId }: { dealerId: string }) {
  const posts = useQuery(dealerPostsQuery(dealerId))
  const { slots, dialogs } = usePostSlots()
  return (
    <div className="space-y-3 p-3 max-md:px-0">
      <QueryState query={posts} failure="The posts could not be loaded" label="Loading posts">
        <SkeletonRows />
      </QueryState>
      {posts.data?.length === 0 ? (
        <EmptyState level={3} icon={<Newspaper size={24} />} title="No posts yet" hint="Nothing for sale right now." />
      ) : null}
      {posts.data?.map((post) => (
        <ListedPost key={post.id} post={post}>
          <PostCard post={post} compact {...slots} />
        </ListedPost>
      ))}
      {dialogs}
    </div>
  )
}
