import { useSearchParams } from 'wouter'
import { PageLayout } from '#client/app/page-layout.tsx'
import { Feed } from '#client/features/posts/feed.tsx'
import type { FeedFilter } from '#client/features/posts/posts.api.ts'
import { QuickAccess } from '#client/features/side-columns/quick-access.tsx'
import { postSorts } from '#shared/schemas/posts.ts'

/** The home feed: search and sort live in the address. */
export function HomePage() {
  const [filter, setFilter] = useFeedFilter()
  return (
    <PageLayout title="Dealer feed" left={<QuickAccess />}>
      <h1 className="sr-only">Dealer feed</h1>
      <Feed filter={filter} onFilter={setFilter} />
    </PageLayout>
  )
}

function useFeedFilter() {
  const [params, setParams] = useSearchParams()
  const asked = params.get('sort')
  const filter: FeedFilter = {
    search: params.get('search') ?? '',
    sort: postSorts.find((sort) => sort === asked) ?? 'recent',
  }
  const setFilter = ({ search, sort }: FeedFilter) =>
    setParams((current) => {
      const wanted = new URLSearchParams(current)
      if (search) wanted.set('search', search)
      else wanted.delete('search')
      if (sort === 'recent') wanted.delete('sort')
      else wanted.set('sort', sort)
      return wanted
    })
  return [filter, setFilter] as const
}
