import { useQuery } from '@tanstack/react-query'
import Trash2 from 'lucide-react/icons/trash'
import { Link } from 'wouter'
import { withQuery } from '#client/lib/http/api.ts'
import { Card, CardBody, CardHeader } from '#client/ui/card.tsx'
import { Count } from '#client/ui/count.tsx'
import { IconButton } from '#client/ui/icon-button.tsx'
import { useListFocus } from '#client/ui/list-focus.ts'
import { QueryState } from '#client/ui/query-state.tsx'
import { SkeletonRows } from '#client/ui/skeleton.tsx'
import type { PostSort } from '#shared/schemas/posts.ts'
import { savedSearchesQuery, useForgetSearch } from './saved.api.ts'

const sortLabels: Record<PostSort, string> = {
  recent: 'All posts',
  hottest: 'All posts',
  'for-sale': 'For Sale',
  'auction-promo': 'Auction Promo',
}

export function SavedSearches() {
  const saved = useQuery(savedSearchesQuery())
  const forget = useForgetSearch()
  return (
    <Card aria-labelledby="saved-searches">
      <CardHeader id="saved-searches" title="Saved searches">
        {saved.data ? <Count value={saved.data.length} tone="quiet" /> : null}
      </CardHeader>
      <CardBody>
        <QueryState query={saved} failure="Your saved searches could not be loaded" label="Loading saved searches">
          <SkeletonRows rows={2} />
        </QueryState>
        {saved.data?.length === 0 ? (
          <p className="text-ink-2">Search the feed or Find and choose Save search. We'll notify you of new results.</p>
        ) : null}
        <ul {...useListFocus()}>
          {saved.data?.map(({ id, kind, search, sort, query }) => (
            <li key={id} className="flex items-center gap-2 border-t border-line py-1 first:border-t-0">
              <Link
                href={
                  kind === 'find'
                    ? `/find?${query}`
                    : withQuery('/', { search, sort: sort === 'recent' ? undefined : sort })
                }
                className="min-w-0 flex-1 truncate rounded-sm py-1 font-medium text-accent-ink hover:underline max-md:py-3"
              >
                {search}
              </Link>
              <span className="text-xs text-ink-2">{kind === 'find' ? 'Find' : sortLabels[sort]}</span>
              <IconButton
                label={`Remove saved search ${search}`}
                icon={<Trash2 size={16} />}
                onClick={() => forget.mutate(id)}
              />
            </li>
          ))}
        </ul>
      </CardBody>
    </Card>
  )
}
