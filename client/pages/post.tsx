import { useQuery } from '@tanstack/react-query'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import { useParams } from 'wouter'
import { PageLayout } from '#client/app/page-layout.tsx'
import { postQuery } from '#client/lib/post/cached-posts.ts'
import { SinglePost } from '#client/features/posts/single-post.tsx'
import { ButtonLink } from '#client/ui/button-link.tsx'
import { HomeLeft, HomeRight } from './home-columns.tsx'
import { VehicleOffer } from './card-offer.tsx'
import { usePostSlots } from './post-slots.tsx'

export function PostPage() {
  const { id = '' } = useParams<{ id: string }>()
  const post = useQuery(postQuery(id))
  const { slots, dialogs } = usePostSlots()
  return (
    <PageLayout title={post.data?.title ?? 'Post'} left={<HomeLeft />} right={<HomeRight />}>
      {post.isSuccess || post.isPending ? (
        <div className="mb-3 max-md:px-2 max-md:pt-3">
          <ButtonLink href="/" variant="ghost" icon={<ArrowLeft size={16} aria-hidden="true" />}>
            Back to Feed
          </ButtonLink>
        </div>
      ) : null}
      <SinglePost
        key={id}
        postId={id}
        {...slots}
        renderVehicleAction={(shown, vehicle) => <VehicleOffer post={shown} vehicle={vehicle} />}
      />
      {dialogs}
    </PageLayout>
  )
}
