import { useEffect, useRef, useState } from 'react'
import { serverNow } from './connection.ts'
import { tab } from '../storage/tab-state.ts'

const tickMs = 250

/** Calls the listener four times a second, from one timer shared by the tab. Returns a function that stops it. */
export function onTick(listener: () => void): () => void {
  const { ticks } = tab
  ticks.listeners.add(listener)
  ticks.timer ??= setInterval(() => ticks.listeners.forEach((each) => each()), tickMs)
  return () => {
    ticks.listeners.delete(listener)
    if (ticks.listeners.size > 0) return
    clearInterval(ticks.timer)
    ticks.timer = undefined
  }
}

/** `read` of the server's time, updated four times a second while `running`. Renders only when the result changes. */
export function useServerTime<Answer extends string | number | boolean>(
  read: (nowMs: number) => Answer,
  running = true,
): Answer {
  const [, redraw] = useState<Answer>()
  const latest = useRef(read)
  useEffect(() => {
    latest.current = read
  })
  useEffect(() => (running ? onTick(() => redraw(latest.current(serverNow()))) : undefined), [running])
  return read(serverNow())
}

/** The server's time in epoch milliseconds, updated four times a second while `running`. */
export function useServerClock(running = true): number {
  const [now, setNow] = useState(serverNow)
  useEffect(() => (running ? onTick(() => setNow(serverNow())) : undefined), [running])
  return now
}

const secondMs = 1_000

/** Whole seconds until a time on the server's clock, rounded up. */
export const secondsUntil = (iso: string, nowMs: number) => Math.max(0, Math.ceil((Date.parse(iso) - nowMs) / secondMs))

const extendedMs = 5_000

/** Seconds by which the end was just extended, summed over five seconds; 0 once five more have passed. */
export function useExtension(endsAt: string): number {
  const known = useRef(endsAt)
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    const moved = Math.round((Date.parse(endsAt) - Date.parse(known.current)) / secondMs)
    known.current = endsAt
    if (moved === 0) return
    // An earlier end, as after a restart of the auction, is not an extension.
    setSeconds((before) => (moved > 0 ? before + moved : 0))
    const timer = setTimeout(() => setSeconds(0), extendedMs)
    return () => clearTimeout(timer)
  }, [endsAt])
  return seconds
}
