import { skipToken, useQuery } from '@tanstack/react-query'
import Target from 'lucide-react/icons/target'
import { useCallback, useMemo, useRef } from 'react'
import { useLocation, useSearch } from 'wouter'
import { PageLayout } from '#client/app/page-layout.tsx'
import type { ChangeFind } from '#client/features/find/find-filters.tsx'
import type { AuctionNow, LiveVehicleProps, VehicleSlots } from '#client/features/find/find-row.tsx'
import { Find } from '#client/features/find/find.tsx'
import { usePostCatchUp } from '#client/features/posts/posts-catch-up.ts'
import { SaveFindButton } from '#client/features/saved/save-search-buttons.tsx'
import { useWatch, watchedIdsQuery } from '#client/features/saved/saved.api.ts'
import { newOrderPath, OrderSuggestion } from '#client/features/wanted/order-suggestion.tsx'
import { phaseOf } from '#client/lib/auction/auction-state.ts'
import { auctionQuery, lastAuctionEventKey } from '#client/lib/auction/cached-auctions.ts'
import { postQuery } from '#client/lib/post/cached-posts.ts'
import { secondsUntil, useServerTime } from '#client/lib/live/server-clock.ts'
import { clockMs } from '#client/lib/live/shared-clocks.ts'
import { useView } from '#client/lib/live/room-views.ts'
import { ButtonLink } from '#client/ui/button-link.tsx'
import { toast } from '#client/ui/toast-store.ts'
import type { LaneChange } from '#shared/events/lane.ts'
import { findSearch, parseFind } from '#shared/find-query.ts'
import type { Auction } from '#shared/schemas/auctions.ts'
import type { FoundVehicle } from '#shared/schemas/find.ts'

export function FindPage() {
  const [query, change] = useFindAddress()
  const watched = useQuery(watchedIdsQuery())
  const watch = useWatch()
  const onWatch = (postId: string) => {
    const on = watched.data?.includes(postId) !== true
    watch.mutate(
      { postId, on },
      { onSuccess: () => toast({ title: on ? 'Added to your watchlist' : 'Removed from your watchlist' }) },
    )
  }
  return (
    <PageLayout title="Find vehicles">
      <Find
        query={query}
        onChange={change}
        onWatch={onWatch}
        LiveVehicle={LiveVehicle}
        renderLane={toLane}
        saveAction={<SaveFindButton query={query} />}
        orderAction={
          <ButtonLink href={newOrderPath(query)} variant="primary" icon={<Target size={16} aria-hidden="true" />}>
            New buy order
          </ButtonLink>
        }
        below={<OrderSuggestion query={query} />}
      />
    </PageLayout>
  )
}

/** Keeps the search in the URL. Each filter adds a history entry, for Back. More typing in the same field replaces its entry. */
function useFindAddress() {
  const search = useSearch()
  const [, navigate] = useLocation()
  const query = useMemo(() => parseFind(search), [search])
  const last = useRef<{ typed: string | undefined; search: string }>(undefined)
  const change: ChangeFind = useCallback(
    (next, typed) => {
      // Compare in the URL's normalized form, which drops a sort order that the filters do not allow.
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

/** Links to the auction in the Lane. Layered above the link that covers the whole row, so that it can be clicked. */
const toLane: NonNullable<VehicleSlots['renderLane']> = ({ postId }) => (
  <ButtonLink size="sm" className="relative z-1" href={`/lane?post=${postId}`}>
    Open in Lane
  </ButtonLink>
)

function LiveVehicle({ vehicle, isOnScreen, draw }: LiveVehicleProps) {
  const held = useQuery({ ...postQuery(vehicle.postId), enabled: false }).data
  const version = Math.max(vehicle.postVersion, held?.version ?? 0)
  usePostCatchUp(vehicle.postId, version)
  if (vehicle.auction === null) return draw(undefined)
  return (
    <LiveAuction
      vehicle={vehicle}
      found={vehicle.auction}
      hasMissed={version > vehicle.postVersion}
      isOnScreen={isOnScreen}
      draw={draw}
    />
  )
}

interface LiveAuctionProps extends LiveVehicleProps {
  found: NonNullable<FoundVehicle['auction']>
  hasMissed: boolean
}

type Known = Pick<Auction, 'seq' | 'status' | 'amount' | 'bidCount' | 'startsAt' | 'endsAt'>

/** Reads price and end time from Lane's events. Fetches the auction only if an event was missed or the auction was restarted. */
function LiveAuction({ vehicle, found, hasMissed, isOnScreen, draw }: LiveAuctionProps) {
  const { postId } = vehicle
  useView('lane', '', isOnScreen)
  const lastEvent = useQuery<LaneChange>({ queryKey: lastAuctionEventKey(postId), queryFn: skipToken }).data
  // Events do not include the start price, so a restarted auction must be fetched.
  const wasRestarted = lastEvent !== undefined && lastEvent.bidCount < found.bidCount
  const isAsked = isOnScreen && (wasRestarted || (hasMissed && lastEvent === undefined))
  const asked = useQuery({ ...auctionQuery(postId), enabled: isAsked }).data
  const first: Known = { ...found, status: 'open', amount: found.bidCount > 0 ? vehicle.price : null }
  const state = [lastEvent, asked].reduce<Known>((newest, one) => (one && one.seq > newest.seq ? one : newest), first)
  const clock = useServerTime(
    (nowMs) => {
      const phase = phaseOf(state, nowMs)
      return phase === 'running' ? secondsUntil(state.endsAt, nowMs) : phase
    },
    { running: isOnScreen && state.status === 'open', everyMs: clockMs.second },
  )
  return draw({
    phase: typeof clock === 'number' ? 'running' : rowPhase(clock),
    price: state.amount ?? asked?.startAmount ?? vehicle.price,
    bidCount: state.bidCount,
    startsAt: state.startsAt,
    secondsLeft: typeof clock === 'number' ? clock : 0,
  })
}

const rowPhase = (phase: string): AuctionNow['phase'] => (phase === 'coming' ? 'coming' : 'over')
