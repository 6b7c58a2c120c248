import { useEffect, useState } from 'react'
import { serverNow } from '#client/lib/connection.ts'
import { softCloseMs } from '#shared/limits.ts'

const tickMs = 250

/** The server's clock in ms, read four times a second while `running`. Independent of how wrong this machine's clock is. */
export function useServerClock(running = true): number {
  const [now, setNow] = useState(serverNow)
  useEffect(() => {
    if (!running) return
    const timer = setInterval(() => setNow(serverNow()), tickMs)
    return () => clearInterval(timer)
  }, [running])
  return now
}

const secondMs = 1_000
/** The bar shows the last minutes: further away it is full. */
const shownMs = 120 * secondMs

/** Whole seconds until a moment of the server's clock, rounded up. */
export const secondsUntil = (iso: string, nowMs: number) => Math.max(0, Math.ceil((Date.parse(iso) - nowMs) / secondMs))

/** The last two minutes as a bar, with the mark where a bid starts to move the end. */
export function AuctionMeter({ endsAt, nowMs, thin = false }: { endsAt: string; nowMs: number; thin?: boolean }) {
  const left = Math.min(1, Math.max(0, (Date.parse(endsAt) - nowMs) / shownMs))
  return (
    <div
      aria-hidden="true"
      className={`relative overflow-hidden rounded-full ${thin ? 'h-1 bg-live-line' : 'h-2 bg-pressed'}`}
    >
      <span className="absolute inset-y-0 left-0 rounded-full bg-live" style={{ width: `${left * 100}%` }} />
      {thin ? null : (
        <span className="absolute inset-y-0 w-0.5 bg-raised" style={{ left: `${(softCloseMs / shownMs) * 100}%` }} />
      )}
    </div>
  )
}
