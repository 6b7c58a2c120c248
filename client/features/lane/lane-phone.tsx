import { useIsMutating, useQuery } from '@tanstack/react-query'
import ChevronLeft from 'lucide-react/icons/chevron-left'
import Gavel from 'lucide-react/icons/gavel'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { reasonOf } from '#client/lib/http/api.ts'
import { useBidding } from '#client/lib/auction/bidding.ts'
import { useCurrentDealer } from '#client/lib/session/current-dealer.ts'
import { auctionQuery } from '#client/lib/auction/cached-auctions.ts'
import { BidQuestion } from '#client/ui/bid-question.tsx'
import { Button } from '#client/ui/button.tsx'
import { cx } from '#client/ui/cx.ts'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { formatMoney } from '#client/ui/format.ts'
import { IconButton } from '#client/ui/icon-button.tsx'
import { InlineError } from '#client/ui/inline-error.tsx'
import { Loading, Skeleton } from '#client/ui/skeleton.tsx'
import type { Auction } from '#shared/schemas/auctions.ts'
import type { LaneRow } from '#shared/schemas/lane.ts'
import { settingsOf } from '#shared/settings-defaults.ts'
import { LaneLiveStatus, SoundButton } from './lists/lane-bar.tsx'
import { RowClock } from './lane-clock.tsx'
import { useLaneParts } from './lane-context.ts'
import { pinsMutationKey } from './lane.api.ts'
import { inSlot, slotsOf } from './position/lane-pins.ts'
import { PositionButtons } from './position/position-buttons.tsx'
import { type FormName } from './position/position-forms.tsx'
import { PositionMenu } from './position/lane-position-menu.tsx'
import {
  barIcons,
  LastBids,
  PositionBar,
  PositionFacts,
  PositionFigures,
  PositionVehicle,
} from './position/lane-position-parts.tsx'
import { whyBlocked } from './position/lane-position-state.ts'
import { is404, usePositionAuction, usePositionState } from './position/lane-position-auction.ts'
import { useAnnouncements } from './position/lane-position.tsx'
import { inStripOrder, nameOfRow, standingOf } from './lists/row-standing.ts'
import { standingLookOf } from './lists/lane-my-bids.tsx'
import { noteFocus } from './lane.store.ts'
import { useDisarm } from './position/use-disarm.ts'

interface PhoneAuctionProps {
  postId: string
  mine: readonly LaneRow[]
  nowMs: number
  /** True if the auction opened while the Lane was already on screen. The press that opened it must not also place a bid. */
  justAppeared: boolean
  onOpen: (postId: string) => void
  onClose: () => void
}

export function PhoneAuction(props: PhoneAuctionProps) {
  const { postId, onClose } = props
  const { positions, settings } = useLaneParts()
  const row = positions.rows.get(postId)
  const slot = positions.slotOf(postId)
  useEffect(() => {
    noteFocus(slot)
    return () => noteFocus(undefined)
  }, [slot])
  return (
    <div className="fixed inset-x-0 top-(--frame-top,3.5rem) bottom-0 z-35 flex flex-col bg-canvas">
      <div className="flex h-12 flex-none items-center gap-1 border-b border-line bg-surface pr-2">
        <IconButton label="Back to the run list" icon={<ChevronLeft size={20} />} onClick={onClose} />
        <h1 className="flex-1 text-md font-semibold">Lane</h1>
        <LaneLiveStatus />
        <SoundButton settings={settings} />
        {row ? <PhoneMenu key={postId} row={row} /> : null}
      </div>
      <PhoneTabs {...props} />
      {row ? (
        <PhoneBody key={postId} {...props} row={row} slot={slot ?? 0} />
      ) : (
        <UnknownAuction key={postId} {...props} />
      )}
    </div>
  )
}

function PhoneMenu({ row }: { row: LaneRow }) {
  const { data, error, dataUpdatedAt } = useQuery(auctionQuery(row.postId))
  const { state } = usePositionState(
    data ?? { ...row.auction, you: row.you, seller: null },
    is404(error),
    dataUpdatedAt,
  )
  return <PositionMenu row={row} state={state} />
}

/** Shown for an auction that is in no loaded list: while it loads or is being pinned, or if it failed to load or has ended. */
function UnknownAuction({ postId, onOpen, onClose }: PhoneAuctionProps) {
  const { data, error, isFetching, refetch } = useQuery(auctionQuery(postId))
  const isPinning = useIsMutating({ mutationKey: pinsMutationKey }) > 0
  const isUnavailable = is404(error) || (data !== undefined && data.status !== 'open')
  if (isUnavailable && !isPinning)
    return (
      <EmptyState
        icon={<Gavel size={24} />}
        title="No longer available"
        hint="The auction has ended or its post was removed."
        action={<Button onClick={onClose}>See the run list</Button>}
      />
    )
  if (!isPinning && (error || data))
    return (
      <div className="p-4">
        <InlineError
          title="The auction could not be loaded"
          message={error ? reasonOf(error) : 'It is not in a position yet.'}
          retrying={isFetching}
          onRetry={() => (error ? void refetch() : onOpen(postId))}
        />
      </div>
    )
  return (
    <div className="p-4">
      <Loading label="Loading the auction">
        <Skeleton className="h-40" />
      </Loading>
    </div>
  )
}

function PhoneTabs({ postId, nowMs, onOpen }: PhoneAuctionProps) {
  const { positions } = useLaneParts()
  return (
    <nav aria-label="Positions" className="flex h-11 flex-none justify-center border-b border-line bg-surface">
      {slotsOf(positions.count).map((slot) => {
        const id = inSlot(positions.pins, slot)
        const row = id === undefined ? undefined : positions.rows.get(id)
        const look = row ? standingLookOf(row, standingOf(row, nowMs)) : undefined
        const isHere = id === postId
        return (
          <button
            key={slot}
            type="button"
            disabled={id === undefined}
            aria-current={isHere || undefined}
            aria-label={row ? `${slot} ${nameOfRow(row)}, ${look?.word ?? ''}` : `${slot} empty`}
            onClick={() => id !== undefined && onOpen(id)}
            className="num relative inline-flex size-11 items-center justify-center font-semibold text-ink-2 disabled:text-ink-3 aria-current:text-ink"
          >
            <span className={cx(isHere && 'rounded-sm bg-pressed px-2 leading-6')}>{slot}</span>
            <span
              aria-hidden="true"
              className={cx('absolute inset-x-2 bottom-0 h-[3px] rounded-t-sm', look?.tab ?? 'bg-transparent')}
            />
          </button>
        )
      })}
    </nav>
  )
}

function PhoneBody({
  row,
  slot,
  mine,
  nowMs,
  postId,
  justAppeared,
  onOpen,
}: PhoneAuctionProps & { row: LaneRow; slot: number }) {
  const { failure, isFetching, retry, ...loaded } = usePositionAuction(row, true)
  const others = inStripOrder(mine, nowMs).filter((one) => one.postId !== postId)
  return (
    <>
      {failure ? (
        <div className="flex-none p-3">
          <InlineError
            title="The auction could not be loaded"
            message={reasonOf(failure)}
            retrying={isFetching}
            onRetry={retry}
          />
        </div>
      ) : null}
      <OpenedAuction {...{ row, slot, others, nowMs, justAppeared, onOpen }} {...loaded} />
    </>
  )
}

interface OpenedAuctionProps {
  row: LaneRow
  slot: number
  auction: Auction
  asOfMs: number
  isRemoved: boolean
  others: readonly LaneRow[]
  nowMs: number
  justAppeared: boolean
  onOpen: (postId: string) => void
}

function OpenedAuction(props: OpenedAuctionProps) {
  const { row, slot, auction, asOfMs, isRemoved, others, nowMs, justAppeared, onOpen } = props
  const { phase, state, bar, online } = usePositionState(auction, isRemoved, asOfMs)
  const { oneTapBids } = settingsOf(useCurrentDealer().settings)
  const bidding = useBidding(auction, {
    oneTap: oneTapBids,
    isOpen: whyBlocked(state) === undefined,
    isOffline: !online,
    justAppeared,
  })
  const [form, setForm] = useState<FormName>()
  const body = useRef<HTMLDivElement>(null)
  useAnnouncements(slot, row, auction, state, bar)
  useWhenHidden(bidding.drop)
  useDisarm(body, bidding)
  return (
    // Focusable, so that focus stays inside the auction when the dealer taps next to a button.
    <div ref={body} tabIndex={-1} className="flex min-h-0 flex-1 flex-col outline-none">
      <div className="@container/position relative min-h-0 flex-1 overflow-y-auto overscroll-contain">
        <PositionBar bar={bar} tall />
        <div className="bg-surface pb-2">
          <PositionVehicle row={row} tall />
          <div className="px-4 pt-1">
            <PositionFigures auction={auction} phase={phase} state={state} />
            <PositionFacts auction={auction} phase={phase} state={state} />
            <LastBids auction={auction} />
          </div>
        </div>
        <Others rows={others} nowMs={nowMs} onOpen={onOpen} />
      </div>
      <div className="flex-none border-t border-line bg-raised px-4 pt-2 pb-[calc(0.75rem+env(safe-area-inset-bottom))]">
        <PositionButtons
          row={row}
          auction={auction}
          state={state}
          bidding={bidding}
          form={form}
          onForm={setForm}
          tall
        />
      </div>
      <BidQuestion bidding={bidding} />
    </div>
  )
}

function useWhenHidden(drop: () => void) {
  const leave = useEffectEvent(() => {
    if (document.hidden) drop()
  })
  useEffect(() => {
    const listen = () => leave()
    document.addEventListener('visibilitychange', listen)
    return () => document.removeEventListener('visibilitychange', listen)
  }, [])
}

function Others({
  rows,
  nowMs,
  onOpen,
}: {
  rows: readonly LaneRow[]
  nowMs: number
  onOpen: (postId: string) => void
}) {
  if (rows.length === 0) return null
  return (
    <section aria-labelledby="lane-others" className="pb-4">
      <div className="flex justify-between px-4 pt-2 pb-1 text-xs font-medium text-ink-2">
        <h2 id="lane-others" className="font-medium">
          Your other auctions
        </h2>
        <span>by time left</span>
      </div>
      <ul className="border-t border-line bg-surface">
        {rows.map((row) => {
          const { icon, ink, word } = standingLookOf(row, standingOf(row, nowMs))
          const Icon = barIcons[icon]
          return (
            <li key={row.postId} className="border-b border-line">
              <button
                type="button"
                onClick={() => onOpen(row.postId)}
                className="grid min-h-14 w-full grid-cols-[1.25rem_minmax(0,1fr)_auto] items-center gap-x-2.5 px-4 py-1.5 text-left"
              >
                <Icon size={20} aria-hidden="true" className={ink} />
                <span className="min-w-0">
                  <span className="block truncate font-medium">{nameOfRow(row)}</span>
                  <span className={cx('block text-xs', ink)}>{word}</span>
                </span>
                <span className="text-right">
                  <span className="num block font-semibold">
                    {formatMoney(row.auction.amount ?? row.auction.startAmount)}
                  </span>
                  <RowClock auction={row.auction} className="block text-xs text-ink-2" />
                </span>
              </button>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
