import { useEffect, useRef, useState } from 'react'
import type { AuctionState } from '#shared/schemas/auctions.ts'
import { serverNow } from './connection.ts'
import { everyVisible } from '../screen/visible-interval.ts'
import { tab } from '../storage/tab-state.ts'

const tickMs = 250

/**
 * Calls the listener four times a second while the tab is visible. All listeners share one timer. Returns a function that stops the calls.
 */
export function onTick(listener: () => void): () => void {
  const { ticks } = tab
  ticks.listeners.add(listener)
  ticks.stop ??= everyVisible(tickMs, () => ticks.listeners.forEach((each) => each()))
  return () => {
    ticks.listeners.delete(listener)
    if (ticks.listeners.size > 0) return
    ticks.stop?.()
    ticks.stop = undefined
  }
}

/** Returns `read(serverTime)`, updated four times a second while `running`. Re-renders only when the result changes. */
export function useServerTime<Answer extends string | number | boolean>(
  read: (nowMs: number) => Answer,
  running = true,
): Answer {
  const [, redraw] = useState<Answer>()
  const shown = read(serverNow())
  const latest = useRef({ read, shown })
  useEffect(() => {
    latest.current = { read, shown }
  })
  useEffect(() => {
    if (!running) return
    return onTick(() => {
      const next = latest.current.read(serverNow())
      // Skip the state update if the result is unchanged, because React would still check for changes.
      if (next !== latest.current.shown) redraw(next)
    })
  }, [running])
  return shown
}

const secondMs = 1_000

/** Whole seconds until a time on the server's clock, rounded up. */
export const secondsUntil = (iso: string, nowMs: number) => Math.max(0, Math.ceil((Date.parse(iso) - nowMs) / secondMs))

/**
 * Returns the server's time in epoch milliseconds, updated each time the auction's countdown changes. The updates stop once the auction
 * has ended.
 */
export function useAuctionClock(auction: Pick<AuctionState, 'status' | 'startsAt' | 'endsAt'> | undefined): number {
  useServerTime(
    (nowMs) => (auction ? secondsUntil(auction.startsAt, nowMs) + secondsUntil(auction.endsAt, nowMs) : 0),
    auction?.status === 'open',
  )
  return serverNow()
}

const extendedMs = 5_000

/**
 * Returns the seconds by which the auction's end was just extended. Sums extensions that are less than five seconds apart, and returns 0
 * five seconds after the last one.
 */
export function useExtension(endsAt: string): number {
  const known = useRef(endsAt)
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    const moved = Math.round((Date.parse(endsAt) - Date.parse(known.current)) / secondMs)
    known.current = endsAt
    if (moved === 0) return
    // An earlier end time, for example after a restarted auction, is not an extension.
    setSeconds((before) => (moved > 0 ? before + moved : 0))
    const timer = setTimeout(() => setSeconds(0), extendedMs)
    return () => clearTimeout(timer)
  }, [endsAt])
  return seconds
}
