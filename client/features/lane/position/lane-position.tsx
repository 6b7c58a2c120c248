import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { reasonOf } from '#client/lib/http/api.ts'
import { useBidding } from '#client/lib/auction/bidding.ts'
import { serverNow } from '#client/lib/live/connection.ts'
import { useCurrentDealer } from '#client/lib/session/current-dealer.ts'
import { secondsUntil } from '#client/lib/live/server-clock.ts'
import { onTick } from '#client/lib/live/shared-clocks.ts'
import { BidQuestion } from '#client/ui/bid-question.tsx'
import { cx } from '#client/ui/cx.ts'
import { formatMoney } from '#client/ui/format.ts'
import { InlineError } from '#client/ui/inline-error.tsx'
import { Loading, Skeleton } from '#client/ui/skeleton.tsx'
import type { Auction } from '#shared/schemas/auctions.ts'
import type { LaneRow } from '#shared/schemas/lane.ts'
import { settingsOf } from '#shared/settings-defaults.ts'
import { timeLeftText } from '../signs/lane-announcer.ts'
import { stepsOf } from './bid-steps.tsx'
import { useLaneParts } from '../lane-context.ts'
import { EmptyPosition } from './empty-position.tsx'
import { focusPosition } from './focus-position.ts'
import { usePositionAuction, usePositionState } from './lane-position-auction.ts'
import { PositionMenu } from './lane-position-menu.tsx'
import { LastBids, PositionBar, PositionFacts, PositionFigures, PositionVehicle } from './lane-position-parts.tsx'
import {
  type barOf,
  isBiddable,
  isReplaceable,
  type PositionState,
  announcementOf,
  whyBlocked,
} from './lane-position-state.ts'
import { PositionButtons } from './position-buttons.tsx'
import { type FormName } from './position-forms.tsx'
import { nameOfRow } from '../lists/row-standing.ts'
import { activeOf, laneStore, noteFocus, noteHover, notePress } from '../lane.store.ts'
import { useDisarm } from './use-disarm.ts'

/** Milliseconds of hovering before a grid position becomes active. An active position receives every bid immediately. */
const hoverMs = 150

const useIsActive = (slot: number): boolean => laneStore.use((state) => activeOf(state) === slot)

export function Position({ slot, postId }: { slot: number; postId: string | undefined }) {
  const { positions } = useLaneParts()
  const frame = useFrame(slot)
  // True after the first render. An auction that appears later may replace a button that the dealer is about to press.
  const [hasRendered, setRendered] = useState(false)
  useEffect(() => setRendered(true), [])
  const row = postId === undefined ? undefined : positions.rows.get(postId)
  const name = row ? nameOfRow(row) : 'free'
  return (
    <section
      {...frame}
      aria-label={`Position ${slot}: ${name}`}
      data-position={slot}
      className={cx(
        '@container/position flex min-w-0 flex-col overflow-hidden rounded-md border outline-none data-focused:border-accent data-focused:shadow-[0_0_0_1px_var(--lw-accent)]',
        row ? 'border-line bg-surface shadow-1' : 'min-h-40 border-dashed border-line-strong',
      )}
    >
      <PositionContent slot={slot} postId={postId} row={row} justAppeared={hasRendered} />
    </section>
  )
}

interface PositionContentProps {
  slot: number
  postId: string | undefined
  row: LaneRow | undefined
  justAppeared: boolean
}

function PositionContent({ slot, postId, row, justAppeared }: PositionContentProps) {
  if (row) return <PositionAuction key={row.postId} slot={slot} row={row} justAppeared={justAppeared} />
  return postId === undefined ? <EmptyPosition slot={slot} /> : <PositionLoading />
}

function PositionAuction({ slot, row, justAppeared }: { slot: number; row: LaneRow; justAppeared: boolean }) {
  const { failure, isFetching, retry, ...loaded } = usePositionAuction(row, useIsActive(slot))
  return (
    <>
      {failure ? (
        <div className="p-3">
          <InlineError
            title="The auction could not be loaded"
            message={reasonOf(failure)}
            retrying={isFetching}
            onRetry={retry}
          />
        </div>
      ) : null}
      <PositionBody slot={slot} row={row} justAppeared={justAppeared} {...loaded} />
    </>
  )
}

function useFrame(slot: number) {
  const isFocused = laneStore.use(({ focused }) => focused === slot)
  const isFirst = laneStore.use(({ focused }) => focused === undefined && slot === 1)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const leave = () => {
    clearTimeout(timer.current)
    if (laneStore.get().hovered === slot) laneStore.set((state) => void (state.hovered = undefined))
  }
  const clear = useEffectEvent(leave)
  useEffect(() => () => clear(), [])
  return {
    // If no position is focused, the first one is the tab stop.
    tabIndex: isFocused || isFirst ? 0 : -1,
    'data-focused': isFocused || undefined,
    'data-focus-target': true,
    onFocus: () => noteFocus(slot),
    onKeyDown: () => noteFocus(slot),
    onPointerEnter: () => {
      clearTimeout(timer.current)
      timer.current = setTimeout(() => noteHover(slot), hoverMs)
    },
    onPointerLeave: leave,
  }
}

interface PositionBodyProps {
  slot: number
  row: LaneRow
  auction: Auction
  isRemoved: boolean
  asOfMs: number
  justAppeared: boolean
}

function PositionBody({ slot, row, auction, isRemoved, asOfMs, justAppeared }: PositionBodyProps) {
  const { phase, state, bar, online, offer } = usePositionState(auction, isRemoved, asOfMs)
  const { oneTapBids } = settingsOf(useCurrentDealer().settings)
  const bidding = useBidding(auction, {
    oneTap: oneTapBids,
    isOpen: whyBlocked(state) === undefined,
    isOffline: !online,
    justAppeared,
  })
  const [form, setForm] = useState<FormName>()
  const body = useRef<HTMLDivElement>(null)
  const showForm = (next: FormName | undefined) => {
    setForm(next)
    // Move focus to the position, because the form's field had focus and is gone.
    if (next === undefined) focusPosition(slot)
  }
  useHandle(slot, body, {
    auction,
    bidding,
    onMaximum: () => {
      if (!auction.you.isSeller && (isBiddable(state) || state === 'coming')) setForm('maximum')
    },
  })
  useArmedHere(slot, bidding.armed !== undefined)
  useDisarm(body, bidding)
  useAnnouncements(slot, row, auction, state, bar)
  useRefill(slot, row, state)
  return (
    <div ref={body} className="flex min-h-0 flex-1 flex-col">
      <PositionBar bar={bar} slot={slot}>
        <PositionMenu row={row} state={state} />
      </PositionBar>
      <div className="flex min-h-0 flex-1 flex-col px-3 pt-2 pb-1.5 @lg/position:grid @lg/position:grid-cols-[11rem_minmax(0,1fr)] @lg/position:gap-x-4">
        <PositionVehicle row={row} />
        <div className="flex min-w-0 flex-1 flex-col @max-lg/position:mt-2 @max-lg/position:low:mt-1">
          <PositionFigures auction={auction} phase={phase} state={state} />
          <PositionFacts auction={auction} phase={phase} state={state}>
            <FactOf
              row={row}
              auction={auction}
              state={state}
              asked={offer?.turn === 'buyer' ? offer.amount : undefined}
            />
          </PositionFacts>
          <LastBids auction={auction} />
          <div className="mt-auto pt-2 low:pt-1">
            <PositionButtons
              row={row}
              auction={auction}
              state={state}
              bidding={bidding}
              form={form}
              onForm={showForm}
            />
          </div>
        </div>
      </div>
      <BidQuestion bidding={bidding} />
    </div>
  )
}

function FactOf({
  row,
  auction,
  state,
  asked,
}: {
  row: LaneRow
  auction: Auction
  state: PositionState
  asked: number | undefined
}) {
  if (state === 'won') return <span>stays here until you close it</span>
  if (asked !== undefined) return <span className="num">asking {formatMoney(asked)}</span>
  if (state === 'decidingMine') return <span className="num">your bid: {formatMoney(auction.amount ?? 0)}</span>
  if (state === 'coming' && row.you.watching) return <span>Watching</span>
  return null
}

/** Makes the position active while an amount is armed, which means that a bid waits for confirmation. */
function useArmedHere(slot: number, isArmed: boolean): void {
  useEffect(() => {
    if (!isArmed) return
    laneStore.set((state) => void (state.armed = slot))
    return () =>
      laneStore.set((state) => {
        if (state.armed === slot) state.armed = undefined
      })
  }, [slot, isArmed])
}

type Handled = { auction: Auction; bidding: ReturnType<typeof useBidding>; onMaximum: () => void }

function useHandle(slot: number, body: RefObject<HTMLDivElement | null>, held: Handled): void {
  const { register } = useLaneParts()
  const focusOn = (selector: string) => body.current?.querySelector<HTMLElement>(selector)?.focus()
  const bid = useEffectEvent((step: number, focusedMs: number) => {
    const bidStep = stepsOf(held.auction)[step]
    if (!bidStep) return
    notePress()
    focusOn(`[data-bid="${step}"]:not(:disabled)`)
    const { armed } = held.bidding
    // The B key has already armed this amount. Only Enter confirms it, so ignore a second B.
    if (armed?.at === bidStep.label) return
    held.bidding.press({ total: bidStep.total, at: bidStep.label, focusedMs })
  })
  const confirm = useEffectEvent(() => {
    const { armed } = held.bidding
    if (!armed) return false
    notePress()
    held.bidding.press({ total: armed.total, at: armed.at })
    return true
  })
  const drop = useEffectEvent(() => held.bidding.drop())
  const maximum = useEffectEvent(() => held.onMaximum())
  useEffect(
    () =>
      register(slot, {
        bid: (step, focusedMs) => bid(step, focusedMs),
        confirm: () => confirm(),
        drop: () => drop(),
        maximum: () => maximum(),
      }),
    [slot, register, body],
  )
}

/**
 * Announces state changes in every position, price changes in the focused position, and the time left in the focused position and in
 * positions where the dealer leads.
 */
export function useAnnouncements(
  slot: number,
  row: LaneRow,
  auction: Auction,
  state: PositionState,
  bar: ReturnType<typeof barOf>,
): void {
  const { announce } = useLaneParts()
  const name = nameOfRow(row)
  const before = useRef({ state, amount: auction.amount })
  const announceHere = useEffectEvent((text: string) => announce(slot, text))
  const isFocused = laneStore.use(({ focused }) => focused === slot)
  useEffect(() => {
    const was = before.current
    before.current = { state, amount: auction.amount }
    const isStateChange = was.state !== state
    if (isStateChange) announceHere(announcementOf(name, bar))
    else if (isFocused && was.amount !== auction.amount && auction.amount !== null)
      announceHere(`${name}: ${formatMoney(auction.amount)}`)
    // `bar` is not a dependency: its text counts down, and only changes of state and price must be announced.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [state, auction.amount, name, isFocused])
  const announcesTime = (isFocused && isBiddable(state)) || state === 'winning'
  useEffect(() => {
    if (!announcesTime) return
    let seconds = secondsUntil(auction.endsAt, serverNow())
    return onTick(() => {
      const now = secondsUntil(auction.endsAt, serverNow())
      const text = timeLeftText(name, seconds, now)
      seconds = now
      if (text !== undefined) announceHere(text)
    })
  }, [announcesTime, auction.endsAt, name])
}

const refillSeconds = 60

/** Replaces an ended auction after a countdown, which pauses while the position is focused or hovered, or the tab is hidden. */
function useRefill(slot: number, row: LaneRow, state: PositionState): void {
  const { positions } = useLaneParts()
  const isKept = laneStore.use(({ kept }) => kept[row.postId] ?? false)
  const isOn = isReplaceable(state) && !isKept
  const refill = useEffectEvent(() => positions.refill(row.postId))
  useEffect(() => {
    if (!isOn) return
    let leftMs = refillSeconds * 1_000
    let lastMs = Date.now()
    const show = (seconds: number | undefined) =>
      laneStore.set((held) => {
        if (seconds === undefined) delete held.secondsUntilRefill[row.postId]
        else held.secondsUntilRefill[row.postId] = seconds
      })
    const stop = onTick(() => {
      const now = Date.now()
      const { focused, hovered } = laneStore.get()
      if (focused !== slot && hovered !== slot && !document.hidden) leftMs -= now - lastMs
      lastMs = now
      show(Math.max(0, Math.ceil(leftMs / 1_000)))
      if (leftMs > 0) return
      stop()
      refill()
    })
    // A hidden tab's timers run only once a minute. Restart the measurement when the visibility changes, so that hidden time does not
    // count.
    const begin = () => void (lastMs = Date.now())
    document.addEventListener('visibilitychange', begin)
    return () => {
      stop()
      document.removeEventListener('visibilitychange', begin)
      show(undefined)
    }
  }, [isOn, slot, row.postId])
}

function PositionLoading() {
  return (
    <div className="p-3">
      <Loading label="Loading the auction">
        <div className="space-y-3">
          <Skeleton className="h-16" />
          <Skeleton className="h-11" />
          <Skeleton className="h-3 w-2/3" />
        </div>
      </Loading>
    </div>
  )
}
