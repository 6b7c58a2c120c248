import { defineSlice } from './slice.ts'

type Timer = ReturnType<typeof setTimeout>

const waiting = defineSlice<{ timers: Record<string, Timer>; ranAtMs: Record<string, number> }>('later', () => ({
  timers: {},
  ranAtMs: {},
}))

/** Does something in a while; what waits under the same name already stands for it. Nothing waits beyond its dealer's session. */
export function doLater(name: string, afterMs: number, run: () => void): void {
  if (waiting.get().timers[name] !== undefined) return
  const timer = setTimeout(() => {
    // Whoever is signed in by now has not asked for it.
    if (waiting.get().timers[name] !== timer) return
    waiting.set(({ timers, ranAtMs }) => {
      delete timers[name]
      ranAtMs[name] = performance.now()
    })
    run()
  }, afterMs)
  waiting.set(({ timers }) => void (timers[name] = timer))
}

/** A crowd that hears the same does not ask at once. */
const jitterMs = 1_000

/** Does something soon, and the next time not before `everyMs` are over. */
export function doPaced(name: string, everyMs: number, run: () => void): void {
  const overMs = (waiting.get().ranAtMs[name] ?? Number.NEGATIVE_INFINITY) + everyMs - performance.now()
  doLater(name, Math.max(Math.random() * jitterMs, overMs), run)
}
