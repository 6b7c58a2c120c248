import { useEffect, useRef, useState } from 'react'
import { serverNow } from './connection.ts'

const tickMs = 250

/** One timer for all that count on this screen: they are drawn together, four times a second. */
function createTicks() {
  const listeners = new Set<() => void>()
  let timer: ReturnType<typeof setInterval> | undefined
  const tick = () => {
    for (const listener of listeners) listener()
  }
  return (listener: () => void): (() => void) => {
    listeners.add(listener)
    timer ??= setInterval(tick, tickMs)
    return () => {
      listeners.delete(listener)
      if (listeners.size > 0) return
      clearInterval(timer)
      timer = undefined
    }
  }
}

/** Calls its listener at every tick. Answers how to stop. */
export const onTick = createTicks()

/**
 * What the server's clock says, by `read`, looked at four times a second while `running`: drawn again only when it says another
 * thing. Independent of how wrong this machine's clock is.
 */
export function useServerTime<Said extends string | number | boolean>(
  read: (nowMs: number) => Said,
  running = true,
): Said {
  const [, redraw] = useState<Said>()
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
