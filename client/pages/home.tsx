import type { QueryClient } from '@tanstack/react-query'
import { Suspense, useEffect } from 'react'
import { useSearchParams } from 'wouter'
import { openPostInventory } from '#client/app/post-inventory.ts'
import { Slot } from '#client/app/slots.tsx'
import { PageLayout } from '#client/app/page-layout.tsx'
import { startQuery } from '#client/features/dashboard/dashboard.api.ts'
import { StartCard } from '#client/features/dashboard/start-card.tsx'
import { Feed } from '#client/features/posts/feed/feed.tsx'
import { feedPreferences } from '#client/features/posts/feed/feed-preferences.ts'
import { feedSorts } from '#client/features/posts/feed/feed-sorts.ts'
import { preloadLead } from '#client/features/posts/photos/post-photos.tsx'
import { type FeedFilter, feedQuery } from '#client/features/posts/posts.api.ts'
import { SaveSearchButton } from '#client/features/saved/save-search-buttons.tsx'
import { loadWhenIdle } from '#client/lib/screen/load-when-idle.ts'
import { lazyPart } from '#client/lib/screen/lazy-part.ts'
import type { CurrentUser } from '#shared/schemas/dealers.ts'
import { HomeLeft, HomeRight } from './home-columns.tsx'
import { usePostSlots } from './post-slots.tsx'

// Loaded on demand together with its VIN tables, because dealers post less often than they read.
const loadComposer = () => import('#client/features/posting/composer.tsx')
const Composer = lazyPart(async () => (await loadComposer()).Composer)

// Loaded on demand together with the vocabulary of Find.
const AsVehicles = lazyPart(async () => (await import('./home-as-vehicles.tsx')).AsVehicles)

/** Fetches the first posts and preloads the photo of the first post. */
export async function prepareHome(cache: QueryClient, { settings }: CurrentUser): Promise<void> {
  const { loadSize, view } = feedPreferences(settings)
  const filter = filterOf(new URLSearchParams(window.location.search))
  const [{ pages }] = await Promise.all([
    cache.fetchInfiniteQuery(feedQuery({ ...filter, limit: loadSize })),
    // Fetch the first steps before rendering, because they would move the feed if they arrived later. A failed fetch is ignored.
    cache.prefetchQuery(startQuery()),
  ])
  const first = pages[0]?.posts[0]
  if (first && view !== 'compact') preloadLead(first)
}

export function HomePage() {
  const [filter, setFilter] = useFeedFilter()
  const { slots, dialogs } = usePostSlots()
  const [posting, stopPosting] = usePostMode()
  useEffect(() => loadWhenIdle(loadComposer), [])
  return (
    <PageLayout title="Dealer feed" left={<HomeLeft />} right={<HomeRight />}>
      <h1 className="sr-only">Dealer feed</h1>
      {posting ? (
        <Suspense>
          <Composer renderTitle={(title) => <Slot name="top-bar-title">{title}</Slot>} onPosted={stopPosting} />
        </Suspense>
      ) : null}
      <StartCard onPost={openPostInventory} />
      <Feed
        filter={filter}
        onFilter={setFilter}
        searchAction={<SaveSearchButton {...filter} />}
        elsewhere={
          filter.search === '' ? null : (
            <Suspense>
              <AsVehicles text={filter.search} />
            </Suspense>
          )
        }
        {...slots}
      />
      {dialogs}
    </PageLayout>
  )
}

function usePostMode() {
  const [params, setParams] = useSearchParams()
  const stop = () => {
    setParams((current) => {
      const wanted = new URLSearchParams(current)
      wanted.delete('mode')
      return wanted
    })
    window.scrollTo({ top: 0 })
  }
  return [params.get('mode') === 'post', stop] as const
}

function filterOf(params: URLSearchParams): FeedFilter {
  const asked = params.get('sort')
  return {
    search: params.get('search') ?? '',
    sort: feedSorts.find((sort) => sort.value === asked)?.value ?? 'recent',
  }
}

function useFeedFilter() {
  const [params, setParams] = useSearchParams()
  const setFilter = ({ search, sort }: FeedFilter) =>
    setParams((current) => {
      const wanted = new URLSearchParams(current)
      if (search) wanted.set('search', search)
      else wanted.delete('search')
      if (sort === 'recent') wanted.delete('sort')
      else wanted.set('sort', sort)
      return wanted
    })
  return [filterOf(params), setFilter] as const
}
