import { useQuery } from '@tanstack/react-query'
import { Target } from 'lucide-react'
import { useCallback, useMemo, useRef } from 'react'
import { useLocation, useSearch } from 'wouter'
import { PageLayout } from '#client/app/page-layout.tsx'
import type { ChangeFind } from '#client/features/find/find-filters.tsx'
import type { VehicleSlots } from '#client/features/find/find-row.tsx'
import { Find } from '#client/features/find/find.tsx'
import { SaveFindButton } from '#client/features/saved/save-search-buttons.tsx'
import { useWatch, watchedIdsQuery } from '#client/features/saved/saved.api.ts'
import { newOrderPath, OrderStrip } from '#client/features/wanted/order-strip.tsx'
import { isOverAt } from '#client/lib/auction-state.ts'
import { auctionQuery } from '#client/lib/held-auctions.ts'
import { secondsUntil, useServerClock } from '#client/lib/server-clock.ts'
import { ButtonLink } from '#client/ui/button-link.tsx'
import { toast } from '#client/ui/toast-store.ts'
import { findSearch, parseFind } from '#shared/find-query.ts'

/** /find: vehicles of all posts by filters, which live in the address. */
export function FindPage() {
  const [query, change] = useFindAddress()
  const watched = useQuery(watchedIdsQuery())
  const watch = useWatch()
  const onWatch = (postId: string) => {
    const on = watched.data?.includes(postId) !== true
    watch.mutate({ postId, on }, { onSuccess: () => toast({ title: on ? 'On your watchlist' : 'Off your watchlist' }) })
  }
  return (
    <PageLayout title="Find vehicles">
      <Find
        query={query}
        onChange={change}
        onWatch={onWatch}
        Running={Running}
        renderLane={toLane}
        actions={
          <>
            <SaveFindButton query={query} />
            <ButtonLink href={newOrderPath(query)} variant="primary" icon={<Target size={16} aria-hidden="true" />}>
              New buy order
            </ButtonLink>
          </>
        }
        below={<OrderStrip query={query} />}
      />
    </PageLayout>
  )
}

/** Pushed filter by filter, so that one can go back through them; replaced while somebody types on in the same field. */
function useFindAddress() {
  const search = useSearch()
  const [, navigate] = useLocation()
  const query = useMemo(() => parseFind(search), [search])
  const last = useRef<{ typed: string | undefined; search: string }>(undefined)
  const change: ChangeFind = useCallback(
    (next, typed) => {
      // Read again, as the address will be: a sort that the filters do not allow is none.
      const wanted = findSearch(parseFind(findSearch(next)))
      if (wanted === findSearch(query)) return
      const replace = typed !== undefined && last.current?.typed === typed && last.current.search === findSearch(query)
      last.current = { typed, search: wanted }
      navigate(wanted === '' ? '/find' : `/find?${wanted}`, { replace })
    },
    [navigate, query],
  )
  return [query, change] as const
}

/** Above the link that covers the row. */
const toLane: NonNullable<VehicleSlots['renderLane']> = ({ postId }) => (
  <ButtonLink size="sm" className="relative z-1" href={`/lane?post=${postId}`}>
    To Lane
  </ButtonLink>
)

/** A running auction's price and clock, as its events tell them. */
const Running: VehicleSlots['Running'] = ({ vehicle: { postId }, draw }) => {
  const { data: auction } = useQuery(auctionQuery(postId))
  const nowMs = useServerClock(auction?.status === 'open')
  if (auction === undefined) return draw(undefined)
  return draw({
    price: auction.amount ?? auction.startAmount,
    bidCount: auction.bidCount,
    secondsLeft: secondsUntil(auction.endsAt, nowMs),
    isOver: isOverAt(auction, nowMs),
  })
}
