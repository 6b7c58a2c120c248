import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import SearchX from 'lucide-react/icons/search-x'
import Users from 'lucide-react/icons/users'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { reasonOf } from '#client/lib/http/api.ts'
import { nothingFound } from '#client/lib/form/nothing-found.ts'
import { ButtonLink } from '#client/ui/button-link.tsx'
import { Card } from '#client/ui/card.tsx'
import { DotSeparator } from '#client/ui/dot-separator.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { formatNumber, formatTotal, nounOf } from '#client/ui/format.ts'
import { InlineError } from '#client/ui/inline-error.tsx'
import { RateLimitCountdown } from '#client/ui/rate-limit-countdown.tsx'
import { Loading, Skeleton } from '#client/ui/skeleton.tsx'
import type { DirectoryDealer } from '#shared/schemas/dealers.ts'
import { networkQuery } from './dealers.api.ts'
import { DirectoryFilters, type PreviousCanadian } from './directory-filters.tsx'
import { DirectoryViews, directoryViews } from './directory-views.tsx'
import { DirectoryRow } from './directory-row.tsx'
import { type DirectoryFilter, directoryQuery } from './directory.api.ts'

interface DirectoryProps {
  filter: DirectoryFilter
  onFilter: (change: Partial<DirectoryFilter>) => void
  onMessage: (dealer: DirectoryDealer) => void
}

export function Directory({ filter, onFilter, onMessage }: DirectoryProps) {
  const [previousCanadian, setPreviousCanadian] = useState<PreviousCanadian>('all')
  const query = useListed(filter)
  const network = useQuery(networkQuery())
  const counted = query.data?.pages[0]?.total
  const total = counted === undefined ? undefined : formatTotal(counted, filter.name)
  return (
    <>
      <div className="flex flex-wrap items-end justify-between gap-x-4 pt-1 pb-3 max-md:px-4 max-md:pt-3">
        <div>
          <h1 className="text-lg font-semibold tracking-lg">Dealer Network</h1>
          <p className="text-ink-2">{directoryViews[filter.view].about}</p>
        </div>
        <p role="status" className="num text-ink-2">
          {total && `${total.text} ${nounOf(total.number, 'dealer')}`}
          {total && network.data ? <DotSeparator /> : null}
          {network.data ? `${formatNumber(network.data.connected.length)} connected` : null}
        </p>
      </div>
      <Card aria-label="Dealers">
        <DirectoryFilters
          filter={filter}
          onFilter={onFilter}
          previousCanadian={previousCanadian}
          onPreviousCanadian={setPreviousCanadian}
        />
        <DirectoryViews view={filter.view} />
        <Listed
          query={query}
          total={total?.number}
          filter={filter}
          connected={network.data?.connected.length}
          previousCanadian={previousCanadian}
          onMessage={onMessage}
        />
      </Card>
    </>
  )
}

const useListed = (filter: DirectoryFilter) => useInfiniteQuery(directoryQuery(filter))

interface ListedProps extends Omit<FoundDealersProps, 'dealers' | 'onEnd'> {
  query: ReturnType<typeof useListed>
}

function Listed({ query, ...found }: ListedProps) {
  return (
    <>
      {query.isFetchNextPageError ? null : (
        <Failure title="The dealer list could not be loaded" query={query} onRetry={() => void query.refetch()} />
      )}
      <RateLimitCountdown query={query} className="m-4" />
      {query.isPending ? <DirectorySkeleton /> : null}
      {query.data ? (
        <FoundDealers
          {...found}
          dealers={query.data.pages.flatMap((page) => page.dealers)}
          onEnd={() => {
            // Do not retry a failed page here, because this runs whenever the end of the list renders.
            if (query.hasNextPage && !query.isFetching && !query.isError) void query.fetchNextPage()
          }}
        />
      ) : null}
      {query.isFetchNextPageError ? (
        <Failure title="More dealers could not be loaded" query={query} onRetry={() => void query.fetchNextPage()} />
      ) : null}
    </>
  )
}

interface FailureProps {
  title: string
  query: { error: Error | null; isFetching: boolean }
  onRetry: () => void
}

const Failure = ({ title, query, onRetry }: FailureProps) =>
  query.error ? (
    <div className="p-4">
      <InlineError title={title} message={reasonOf(query.error)} retrying={query.isFetching} onRetry={onRetry} />
    </div>
  ) : null

interface FoundDealersProps extends Omit<DealerRowsProps, 'total'> {
  total: number | undefined
  filter: DirectoryFilter
  connected: number | undefined
}

function FoundDealers({ dealers, total, filter, connected, ...rows }: FoundDealersProps) {
  if (dealers.length > 0) return <DealerRows dealers={dealers} total={total ?? dealers.length} {...rows} />
  if (filter.view === 'mine' && connected === 0)
    return (
      <EmptyState
        icon={<Users size={24} />}
        title="You have no connections yet"
        hint="Connect with dealers to see them here."
        action={<ButtonLink href="/discover">Find dealers</ButtonLink>}
      />
    )
  if (filter.view === 'discover' && !isFiltered(filter))
    return (
      <EmptyState
        icon={<Users size={24} />}
        title="You are connected with every dealer"
        hint="New dealers appear here when they join."
      />
    )
  return (
    <EmptyState
      icon={<SearchX size={24} />}
      title="No dealers found"
      hint={nothingFound('Try adjusting your search filters', filter.name)}
    />
  )
}

const isFiltered = ({ name, state, dealershipType, buysCanadian }: DirectoryFilter): boolean =>
  name !== '' || [state, dealershipType, buysCanadian].some((value) => value !== 'all')

const rowHeight = 65
/** The next page is fetched this many rows before the end of the list. */
const fetchAhead = 15

interface DealerRowsProps {
  dealers: DirectoryDealer[]
  total: number
  previousCanadian: PreviousCanadian
  onMessage: (dealer: DirectoryDealer) => void
  onEnd: () => void
}

function DealerRows({ dealers, total, onEnd, ...row }: DealerRowsProps) {
  const list = useRef<HTMLUListElement>(null)
  const [top, setTop] = useState(0)
  useLayoutEffect(() => setTop((list.current?.getBoundingClientRect().top ?? 0) + window.scrollY), [])
  const rows = useWindowVirtualizer({
    count: dealers.length,
    estimateSize: () => rowHeight,
    overscan: 8,
    scrollMargin: top,
    getItemKey: (index) => dealers[index]?.id ?? index,
  })
  const items = rows.getVirtualItems()
  const last = items.at(-1)?.index ?? 0
  const atEnd = last >= dealers.length - fetchAhead
  useEffect(() => {
    if (atEnd) onEnd()
  }, [atEnd, dealers.length, onEnd])
  return (
    <ul ref={list} className="relative" style={{ height: rows.getTotalSize() }}>
      {items.map(({ index, key, start }) => {
        const dealer = dealers[index]
        if (!dealer) return null
        return (
          <li
            key={key}
            ref={rows.measureElement}
            data-index={index}
            aria-setsize={total}
            aria-posinset={index + 1}
            className="absolute inset-x-0 top-0 border-b border-line"
            style={{ transform: `translateY(${start - top}px)` }}
          >
            <DirectoryRow dealer={dealer} {...row} />
          </li>
        )
      })}
    </ul>
  )
}

function DirectorySkeleton() {
  return (
    <Loading label="Loading dealers">
      {Array.from({ length: 8 }, (_, row) => (
        <div key={row} className="flex items-center gap-4 border-b border-line px-4 py-3">
          <Skeleton className="size-10 flex-none rounded-full" />
          <div className="flex-1 space-y-2">
            <Skeleton className="h-3 w-2/5" />
            <Skeleton className="h-3 w-3/5" />
          </div>
          <Skeleton className="h-8 w-28 rounded-md" />
        </div>
      ))}
    </Loading>
  )
}
