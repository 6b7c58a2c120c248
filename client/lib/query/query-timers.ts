import type { TimeoutProvider } from '@tanstack/react-query'
import { everyVisible } from '../screen/visible-interval.ts'

interface QueryTimer {
  stop: () => void
  /** TanStack Query accepts only timers that convert to a number. */
  [Symbol.toPrimitive]: () => number
}

const timerOf = (stop: () => void): QueryTimer => ({ stop, [Symbol.toPrimitive]: () => Number.NaN })
const stopTimer = (timer: QueryTimer | undefined) => timer?.stop()

/** Pauses every `refetchInterval` while the tab is hidden. Fetches as soon as the tab is visible again. */
export const queryTimers: TimeoutProvider<QueryTimer> = {
  setTimeout(run, ms) {
    const timer = setTimeout(run, ms)
    return timerOf(() => clearTimeout(timer))
  },
  clearTimeout: stopTimer,
  setInterval: (run, ms) => timerOf(everyVisible(ms, run)),
  clearInterval: stopTimer,
}
