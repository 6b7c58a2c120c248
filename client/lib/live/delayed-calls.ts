import { defineSlice } from '../storage/store-slice.ts'

type Timer = ReturnType<typeof setTimeout>

const waiting = defineSlice<{ timers: Record<string, Timer>; ranAtMs: Record<string, number> }>('later', () => ({
  timers: {},
  ranAtMs: {},
}))

/** Runs `run` after a delay, unless a call of the same name is already waiting. A sign-out cancels the call. */
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

/** Maximum random delay in milliseconds, which spreads the load when many clients receive the same event. */
const jitterMs = 1_000

/** Runs `run` soon, but not until `everyMs` after the last call of the same name. */
export function runPaced(name: string, everyMs: number, run: () => void): void {
  const overMs = (waiting.get().ranAtMs[name] ?? Number.NEGATIVE_INFINITY) + everyMs - performance.now()
  runLater(name, Math.max(Math.random() * jitterMs, overMs), run)
}
