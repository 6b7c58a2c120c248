import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, Suspense, useEffect, useEffectEvent, useState } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import { serverNow, useConnection } from '#client/lib/live/connection.ts'
import { useCurrentDealer } from '#client/lib/session/current-dealer.ts'
import { auctionQuery } from '#client/lib/auction/cached-auctions.ts'
import { lazyPart } from '#client/lib/screen/lazy-part.ts'
import { useSettingsChange } from '#client/lib/session/save-settings.ts'
import { useServerTime } from '#client/lib/live/server-clock.ts'
import { cx } from '#client/ui/cx.ts'
import { useNarrow } from '#client/ui/screen-width.ts'
import { QueryState } from '#client/ui/query-state.tsx'
import { Skeleton } from '#client/ui/skeleton.tsx'
import type { Lane, LaneRow } from '#shared/schemas/lane.ts'
import { settingsOf } from '#shared/settings-defaults.ts'
import { DayLimitDialog } from './day-limit-dialog.tsx'
import { BuyingFigures, LaneBar, type LaneView } from './lists/lane-bar.tsx'
import { LaneContext, type LaneActions, type SellersParts, useLaneParts } from './lane-context.ts'
import { fullAuctionPath } from './position/lane-position-menu.tsx'
import { PhoneAuction } from './lane-phone.tsx'
import { focusPosition } from './position/focus-position.ts'
import { Position } from './position/lane-position.tsx'
import { inSlot, slotsOf } from './position/lane-pins.ts'
import { laneQuery } from './lane.api.ts'
import { mostUrgent, rowsOf, withChange } from './lists/row-standing.ts'
import { LaneRunList } from './lists/lane-run-list.tsx'
import { LaneMyBids } from './lists/lane-my-bids.tsx'
import { laneStore } from './lane.store.ts'
import { useLaneKeys, usePositionHandles } from './use-lane-shortcuts.ts'
import { useAnnouncer, useLaneSounds } from './signs/use-lane-signs.ts'
import { useLaneData, usePositions } from './position/use-positions.ts'

const LaneSelling = lazyPart(async () => (await import('./selling/lane-selling.tsx')).LaneSelling)
const LaneStaffList = lazyPart(async () => (await import('./lists/lane-staff-list.tsx')).LaneStaffList)

export interface LaneScreenProps extends LaneActions {
  sellersParts: SellersParts
  onOpenCase: (row: LaneRow) => void
}

export function LaneScreen(props: LaneScreenProps) {
  const query = useLaneData()
  return (
    <div className="flex min-h-[calc(100dvh-var(--frame-top,3.5rem))] min-w-0 flex-col md:h-[calc(100dvh-var(--frame-top,3.5rem))] md:min-h-0">
      <QueryState query={query} failure="Lane could not be loaded" label="Loading Lane" className="p-4">
        <LaneWaiting />
      </QueryState>
      {query.data ? <LoadedLane {...props} lane={query.data} /> : <h1 className="sr-only">Lane</h1>}
    </div>
  )
}

function LaneWaiting() {
  return (
    <div className="grid grid-cols-[19.5rem_minmax(0,1fr)_minmax(0,1fr)] gap-2 max-lg:grid-cols-1">
      {[0, 1, 2].map((index) => (
        <Skeleton key={index} className="h-80 rounded-md" />
      ))}
    </div>
  )
}

/** Updates rows with the cached auctions of the grid positions, which may be newer than the Lane's lists. */
const newestOf = (cache: QueryClient, rows: readonly LaneRow[]): LaneRow[] =>
  rows.map((row) => {
    const held = cache.getQueryData(auctionQuery(row.postId).queryKey)
    if (!held) return row
    const number = held.you.number ?? row.you.number
    return withChange({ ...row, you: { ...row.you, number } }, held)
  })

const viewOf = (params: URLSearchParams, isStaff: boolean): LaneView =>
  (['selling', ...(isStaff ? (['all'] as const) : [])] as const).find((view) => view === params.get('view')) ?? 'buying'

function LoadedLane({ lane, sellersParts, onOpenCase, ...actions }: LaneScreenProps & { lane: Lane }) {
  const me = useCurrentDealer()
  const { lane: settings } = settingsOf(me.settings)
  const [params, setParams] = useSearchParams()
  const [asksLimit, setAsksLimit] = useState(false)
  const positions = usePositions(lane)
  const { handles, register } = usePositionHandles()
  const { announcement, announce } = useAnnouncer()
  const isStaff = me.role !== 'dealer'
  const isOffline = useConnection() === 'offline'
  const view = viewOf(params, isStaff)
  useEffect(() => () => laneStore.reset(), [])
  const cache = useQueryClient()
  useLaneSounds(settings.sound, () => {
    // Read from the cache, because the newest data may not be rendered yet.
    const held = cache.getQueryData(laneQuery().queryKey) ?? lane
    return [...rowsOf(held).values(), ...newestOf(cache, [...held.mine, ...held.pinned])]
  })
  const onChangeLimit = () => setAsksLimit(true)
  const removeFromGrid = (postId: string) => {
    positions.removeFromGrid(postId)
    if (params.get('post') === postId) setParams({}, { replace: true })
  }
  const bar = (figures: ReactNode) => (
    <LaneBar
      view={view}
      onView={(next) => setParams(next === 'buying' ? {} : { view: next })}
      isStaff={isStaff}
      selling={lane.counts.selling}
      settings={settings}
      positionCount={positions.count}
      onShowKeys={actions.onShowKeys}
    >
      {figures}
    </LaneBar>
  )
  return (
    <LaneContext
      value={{ ...actions, positions, removeFromGrid, settings, day: lane.day, onChangeLimit, announce, register }}
    >
      <Suspense>
        {view === 'selling' ? <LaneSelling {...sellersParts} bar={bar} /> : null}
        {view === 'all' ? <LaneStaffList bar={bar} onOpenCase={onOpenCase} /> : null}
        {view === 'buying' ? <Buying lane={lane} handles={handles} bar={bar} /> : null}
      </Suspense>
      <p role="status" className="sr-only">
        {announcement}
      </p>
      <p role="alert" className="sr-only">
        {isOffline ? 'Connection lost. Bidding is paused.' : ''}
      </p>
      {asksLimit ? <DayLimitDialog day={lane.day} onClose={() => setAsksLimit(false)} /> : null}
    </LaneContext>
  )
}

interface BuyingProps {
  lane: Lane
  handles: ReturnType<typeof usePositionHandles>['handles']
  bar: (figures: ReactNode) => ReactNode
}

const secondMs = 1_000

function Buying({ lane, handles, bar }: BuyingProps) {
  const { positions, settings, onChangeLimit, onPhotos } = useLaneParts()
  const [params, setParams] = useSearchParams()
  const [, navigate] = useLocation()
  const change = useSettingsChange()
  const isPhone = useNarrow()
  // The lists need only whole seconds, so they render at most once a second.
  const nowMs = useServerTime((now) => Math.floor(now / secondMs)) * secondMs
  const focused = laneStore.use((state) => state.focused)
  const cache = useQueryClient()
  const mine = newestOf(cache, lane.mine)
  const opened = params.get('post')
  const open = (postId: string, wanted?: number) => {
    const slot = positions.pin(postId, wanted)
    if (isPhone) setParams({ post: postId })
    else focusPosition(slot)
  }
  const openRow = ({ postId }: LaneRow) => open(postId)
  useLaneKeys({
    isOn: settings.keys && !isPhone,
    positionCount: positions.count,
    handles,
    onUrgent: () => {
      const row = mostUrgent(newestOf(cache, lane.mine), serverNow())
      if (row) openRow(row)
    },
    onOpen: (slot) => {
      const postId = inSlot(positions.pins, slot)
      if (postId !== undefined) navigate(fullAuctionPath(postId))
    },
    onPhotos: (slot) => {
      const row = positions.rows.get(inSlot(positions.pins, slot) ?? '')
      if (!row?.photoUrl) return false
      onPhotos(row)
      return true
    },
    onFill: () => positions.fill(),
    onSound: () => change.mutate({ lane: { sound: !settings.sound } }),
    onPinRow: open,
  })
  const openAsked = useEffectEvent((postId: string) => {
    if (isPhone) return void (positions.slotOf(postId) ?? positions.pin(postId))
    open(postId)
    setParams({}, { replace: true })
  })
  useEffect(() => {
    if (opened !== null) openAsked(opened)
  }, [opened])
  const [hasRendered, setRendered] = useState(false)
  useEffect(() => setRendered(true), [])
  const figures = <BuyingFigures lane={{ ...lane, mine }} nowMs={nowMs} onChangeLimit={onChangeLimit} />
  const list = { lane, nowMs, slotOf: positions.slotOf, focused, onPin: openRow }
  if (isPhone && opened !== null) {
    const about = { postId: opened, mine, nowMs, justAppeared: hasRendered }
    return <PhoneAuction {...about} onOpen={open} onClose={() => setParams({}, { replace: true })} />
  }
  return (
    <>
      {bar(figures)}
      <LaneMyBids
        mine={mine}
        nowMs={nowMs}
        slotOf={positions.slotOf}
        focused={focused}
        onOpen={({ postId }) => open(postId, focused)}
      />
      <div className="grid min-h-0 flex-1 grid-cols-[19.5rem_minmax(0,1fr)] gap-2 px-4 pt-2 pb-14 max-lg:grid-cols-[16.5rem_minmax(0,1fr)] max-md:block max-md:px-0 max-md:pt-0 max-md:pb-4">
        <LaneRunList {...list} />
        {isPhone ? null : <PositionGrid />}
      </div>
    </>
  )
}

const grids: Record<number, string> = {
  2: 'grid-cols-2 max-lg:grid-cols-1',
  4: 'grid-cols-2 max-lg:grid-cols-1',
  6: 'grid-cols-3 max-xl:grid-cols-2 max-lg:grid-cols-1',
}

/** Shows the grid. The positions share the available height. The grid scrolls if they do not fit. */
function PositionGrid() {
  const { positions } = useLaneParts()
  return (
    <div
      data-positions
      className={cx(
        // Leave space at the bottom, so that open chat windows do not cover a position.
        'relative grid min-h-0 min-w-0 auto-rows-[minmax(min-content,1fr)] gap-2 overflow-y-auto overscroll-contain p-px pb-[max(1px,calc(var(--dock-height,0px)-3rem))]',
        grids[positions.count],
      )}
    >
      {slotsOf(positions.count).map((slot) => (
        <Position key={slot} slot={slot} postId={inSlot(positions.pins, slot)} />
      ))}
    </div>
  )
}
