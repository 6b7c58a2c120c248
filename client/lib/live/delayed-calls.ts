import { defineSlice } from '../storage/store-slice.ts'

type Timer = ReturnType<typeof setTimeout>

const waiting = defineSlice<{ timers: Record<string, Timer>; ranAtMs: Record<string, number> }>('later', () => ({
  timers: {},
  ranAtMs: {},
}))

/** Runs something after a delay, unless a call of that name is waiting already. Canceled when the dealer signs out. */
export function runLater(name: string, afterMs: number, run: () => void): void {
  if (waiting.get().timers[name] !== undefined) return
  const timer = setTimeout(() => {
    if (waiting.get().timers[name] !== timer) return
    waiting.set(({ timers, ranAtMs }) => {
      delete timers[name]
      ranAtMs[name] = performance.now()
    })
    run()
  }, afterMs)
  waiting.set(({ timers }) => void (timers[name] = timer))
}

/** Spreads the calls of many clients that receive the same event. */
const jitterMs = 1_000

/** Runs something soon, but not again before `everyMs` have passed. */
export function runPaced(name: string, everyMs: number, run: () => void): void {
  const overMs = (waiting.get().ranAtMs[name] ?? Number.NEGATIVE_INFINITY) + everyMs - performance.now()
  runLater(name, Math.max(Math.random() * jitterMs, overMs), run)
}
