import { useQuery } from '@tanstack/react-query'
import Bookmark from 'lucide-react/icons/bookmark'
import { PageLayout } from '#client/app/page-layout.tsx'
import { PostCard } from '#client/features/posts/card/post-card.tsx'
import { ListedPost } from '#client/features/posts/listed-post.tsx'
import { SavedSearches } from '#client/features/saved/saved-searches.tsx'
import { watchlistQuery } from '#client/features/saved/saved.api.ts'
import { ButtonLink } from '#client/ui/button-link.tsx'
import { Card } from '#client/ui/card.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { plural } from '#client/ui/format.ts'
import { QueryState } from '#client/ui/query-state.tsx'
import { SkeletonRows } from '#client/ui/skeleton.tsx'
import { HomeLeft } from './home-columns.tsx'
import { usePostSlots } from './post-slots.tsx'

export function WatchlistPage() {
  const posts = useQuery(watchlistQuery())
  const { slots, dialogs } = usePostSlots()
  return (
    <PageLayout title="Watchlist" left={<HomeLeft />} right={<SavedSearches />} rightLabel="Saved searches">
      <div className="space-y-3">
        <div className="flex items-end justify-between gap-4 pt-1 max-md:px-4 max-md:pt-3">
          <h1 className="text-lg font-semibold tracking-lg">Watchlist</h1>
          <div className="flex items-center gap-3">
            <p role="status" className="num text-ink-2">
              {posts.data ? plural(posts.data.length, 'post') : null}
            </p>
            {posts.data?.some(({ hasAuction }) => hasAuction) ? <ButtonLink href="/lane">Open Lane</ButtonLink> : null}
          </div>
        </div>
        <QueryState query={posts} failure="Your watchlist could not be loaded" label="Loading watchlist">
          <Card className="p-4">
            <SkeletonRows />
          </Card>
        </QueryState>
        {posts.data?.length === 0 ? (
          <Card>
            <EmptyState
              icon={<Bookmark size={24} />}
              title="Nothing on your watchlist"
              hint="Bookmark a post to keep an eye on it."
            />
          </Card>
        ) : null}
        {posts.data?.map((post) => (
          <ListedPost key={post.id} post={post}>
            <PostCard post={post} {...slots} />
          </ListedPost>
        ))}
        <div className="lg:hidden">
          <SavedSearches />
        </div>
      </div>
      {dialogs}
    </PageLayout>
  )
}
