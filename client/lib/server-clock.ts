import { useEffect, useRef, useState } from 'react'
import { serverNow } from './connection.ts'
import { tab } from './tab.ts'

const tickMs = 250

/** Calls its listener four times a second, with all others that count on this screen. Answers how to stop. */
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

/**
 * What the server's clock says, by `read`, looked at four times a second while `running`: drawn again only when it says another
 * thing. Independent of how wrong this machine's clock is.
 */
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

/** The server's clock in ms, read four times a second while `running`. */
export function useServerClock(running = true): number {
  const [now, setNow] = useState(serverNow)
  useEffect(() => (running ? onTick(() => setNow(serverNow())) : undefined), [running])
  return now
}

const secondMs = 1_000

/** Whole seconds until a moment of the server's clock, rounded up. */
export const secondsUntil = (iso: string, nowMs: number) => Math.max(0, Math.ceil((Date.parse(iso) - nowMs) / secondMs))

const extendedMs = 5_000

/** Seconds that the end has just moved by, all that came within five seconds together, for five seconds after it; 0 otherwise. */
export function useExtension(endsAt: string): number {
  const known = useRef(endsAt)
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    const moved = Math.round((Date.parse(endsAt) - Date.parse(known.current)) / secondMs)
    known.current = endsAt
    if (moved === 0) return
    // One that is taken back, as by an auction that begins anew, is no extension.
    setSeconds((before) => (moved > 0 ? before + moved : 0))
    const timer = setTimeout(() => setSeconds(0), extendedMs)
    return () => clearTimeout(timer)
  }, [endsAt])
  return seconds
}
