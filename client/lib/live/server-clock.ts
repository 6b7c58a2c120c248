import { useEffect, useReducer, useRef, useState } from 'react'
import type { AuctionState } from '#shared/schemas/auctions.ts'
import { serverNow } from './connection.ts'
import { clockMs, onTick } from './shared-clocks.ts'

const secondMs = 1_000

interface ClockOptions {
  running?: boolean
  everyMs?: number
}

/** Returns `read(serverTime)`, and keeps it up to date while `running`. Re-renders only if the result changes. */
export function useServerTime<Answer extends string | number | boolean>(
  read: (nowMs: number) => Answer,
  { running = true, everyMs = clockMs.exact }: ClockOptions = {},
): Answer {
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  const shown = read(serverNow())
  const latest = useRef({ read, shown })
  useEffect(() => {
    latest.current = { read, shown }
  })
  useEffect(() => {
    if (!running) return
    return onTick(() => {
      if (latest.current.read(serverNow()) !== latest.current.shown) redraw()
    }, everyMs)
  }, [running, everyMs])
  return shown
}

export const secondsUntil = (iso: string, nowMs: number) => Math.max(0, Math.ceil((Date.parse(iso) - nowMs) / secondMs))

/** Returns the server's time in epoch milliseconds. It is updated with the auction's countdown while the auction is open. */
export function useAuctionClock(auction: Pick<AuctionState, 'status' | 'startsAt' | 'endsAt'> | undefined): number {
  useServerTime(
    (nowMs) => (auction ? secondsUntil(auction.startsAt, nowMs) + secondsUntil(auction.endsAt, nowMs) : 0),
    { running: auction?.status === 'open' },
  )
  return serverNow()
}

const extendedMs = 5_000

/** Returns by how many seconds the auction was extended recently. Returns 0 five seconds after the last extension. */
export function useExtension(endsAt: string): number {
  const known = useRef(endsAt)
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    const moved = Math.round((Date.parse(endsAt) - Date.parse(known.current)) / secondMs)
    known.current = endsAt
    if (moved === 0) return
    // An earlier end, for example of a restarted auction, is not an extension.
    setSeconds((before) => (moved > 0 ? before + moved : 0))
    const timer = setTimeout(() => setSeconds(0), extendedMs)
    return () => clearTimeout(timer)
  }, [endsAt])
  return seconds
}
