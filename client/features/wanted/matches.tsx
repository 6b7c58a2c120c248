import { useInfiniteQuery } from '@tanstack/react-query'
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { Link, useSearchParams } from 'wouter'
import { useConnection } from '#client/lib/live/connection.ts'
import { Dot } from '#client/ui/badge.tsx'
import { Card, CardHeader } from '#client/ui/card.tsx'
import { Count } from '#client/ui/count.tsx'
import { cx } from '#client/ui/cx.ts'
import { DotSeparator } from '#client/ui/dot-separator.tsx'
import { formatMileage, formatMoney } from '#client/ui/format.ts'
import { useIsLookedAt, useOnScreen } from '#client/ui/on-screen.ts'
import { LoadMore } from '#client/ui/load-more.tsx'
import { QueryState } from '#client/ui/query-state.tsx'
import { RelativeTime } from '#client/ui/relative-time.tsx'
import { SkeletonRows } from '#client/ui/skeleton.tsx'
import { Thumbnail } from '#client/ui/thumbnail.tsx'
import { matchesSeenMax } from '#shared/constants/wanted.ts'
import type { OrderMatch } from '#shared/schemas/wanted.ts'
import { MatchButtons, matchesHeading } from './match-buttons.tsx'
import { matchesQuery, useSeeMatches } from './wanted.api.ts'

/** Milliseconds for which a match must be on screen to count as seen. */
const seenAfterMs = 2_000

export function Matches() {
  const matches = useInfiniteQuery(matchesQuery())
  const items = matches.data?.pages.flatMap((page) => page.items)
  const list = useRef<HTMLUListElement>(null)
  const [isLookedAt, isOnScreen] = [useIsLookedAt(), useOnScreen(list)]
  const isNew = useNewOnes(items, isLookedAt && isOnScreen)
  useFocusLinkedMatch(list, items)
  const connection = useConnection()
  const fresh = items?.filter((match) => isNew(match) && match.state !== 'offered').length ?? 0
  return (
    <Card aria-labelledby={matchesHeading} className="overflow-hidden">
      <CardHeader id={matchesHeading} title="Matches">
        <span className="flex items-center gap-2 text-xs text-ink-2">
          {connection === 'offline' ? null : (
            <span className="flex items-center gap-1">
              <Dot tone="ok" />
              Live
            </span>
          )}
          {fresh > 0 ? (
            <span role="status">
              <Count value={fresh} tone="accent" />
              <span className="sr-only"> new</span>
            </span>
          ) : null}
        </span>
      </CardHeader>
      <QueryState query={matches} failure="Your matches could not be loaded" label="Loading matches">
        <div className="divide-y divide-line border-t border-line">
          <SkeletonRows rows={3} className="h-29 px-4" lead="h-12 w-18 rounded-md" />
        </div>
      </QueryState>
      {items?.length === 0 ? (
        <p className="px-4 pt-1 pb-4 text-ink-2">
          No matches to review. Vehicles that fit your buy orders appear here when they're posted or drop in price.
        </p>
      ) : null}
      <ul ref={list} className="divide-y divide-line border-t border-line empty:border-0">
        {items?.map((match) => (
          <MatchItem key={match.vehicle.vehicleId} match={match} isNew={isNew(match)} />
        ))}
      </ul>
      {matches.hasNextPage ? (
        <LoadMore busy={matches.isFetchingNextPage} onLoad={() => void matches.fetchNextPage()} />
      ) : null}
    </Card>
  )
}

/** Focuses the match that the URL names, for example after a click on a notification. */
function useFocusLinkedMatch(list: RefObject<HTMLUListElement | null>, items: readonly OrderMatch[] | undefined): void {
  const [params] = useSearchParams()
  const linkedId = params.get('vehicle')
  const isThere = items?.some(({ vehicle }) => vehicle.vehicleId === linkedId) === true
  useEffect(() => {
    if (!isThere) return undefined
    // Wait a frame, because the page's main region takes the focus first.
    const frame = requestAnimationFrame(() =>
      list.current?.querySelector<HTMLElement>(`a[href$="?vehicle=${linkedId}"]`)?.focus(),
    )
    return () => cancelAnimationFrame(frame)
  }, [list, linkedId, isThere])
}

/**
 * Returns a function that is true for matches that were new when they loaded. Once such matches have been on screen long enough, the server
 * marks them as seen, but this screen still shows them as new.
 */
function useNewOnes(items: readonly OrderMatch[] | undefined, isInSight: boolean): (match: OrderMatch) => boolean {
  const [fresh, setFresh] = useState<ReadonlySet<string>>(new Set())
  const see = useSeeMatches()
  const markSeen = useEffectEvent((ids: string[]) => see.mutate(ids))
  const newIds = items?.filter(({ state }) => state === 'new').map(({ vehicle }) => vehicle.vehicleId) ?? []
  const unmarked = newIds.filter((id) => !fresh.has(id))
  if (unmarked.length > 0) setFresh(new Set([...fresh, ...unmarked]))
  const unseen = newIds.slice(0, matchesSeenMax).join(' ')
  useEffect(() => {
    if (unseen === '' || !isInSight) return undefined
    const timer = setTimeout(() => markSeen(unseen.split(' ')), seenAfterMs)
    return () => clearTimeout(timer)
  }, [unseen, isInSight])
  return ({ vehicle }) => fresh.has(vehicle.vehicleId)
}

function MatchItem({ match, isNew }: { match: OrderMatch; isNew: boolean }) {
  const { vehicle } = match
  const facts = [
    vehicle.mileage === null ? 'mileage not stated' : formatMileage(vehicle.mileage),
    ...(vehicle.miles === null ? [] : [`${formatMileage(vehicle.miles)} away`]),
    vehicle.seller.dealershipName,
  ]
  return (
    <li className={cx('px-4 py-3', isNew && 'shadow-[inset_2px_0_0_var(--lw-accent)]')}>
      <div className="grid grid-cols-[4.5rem_minmax(0,1fr)] gap-3">
        <Thumbnail src={vehicle.photoUrl} />
        <div className="min-w-0">
          <h3 className="font-semibold">
            <Link
              href={`/post/${vehicle.postId}?vehicle=${vehicle.vehicleId}`}
              className="block truncate rounded-sm hover:underline max-md:py-3"
            >
              {vehicle.title}
            </Link>
          </h3>
          <p className="num truncate text-xs text-ink-2">
            {facts.map((fact, index) => (
              <span key={fact}>
                {index > 0 ? <DotSeparator /> : null}
                {fact}
              </span>
            ))}
          </p>
          <p className="num text-xs text-ink-2">
            <RelativeTime iso={match.at} className="font-semibold text-ink" />
            <DotSeparator />
            {vehicle.price === null ? 'no asking price' : `asks ${formatMoney(vehicle.price)}`}
          </p>
        </div>
      </div>
      <MatchButtons match={match} isNew={isNew} />
    </li>
  )
}
