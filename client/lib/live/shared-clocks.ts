import { everyVisible } from '../screen/visible-interval.ts'
import { type SharedClock, tab } from '../storage/tab-state.ts'

// The public pages load this module, so it must not import the store.

/** Milliseconds between two updates of a clock. Clocks beside a bid button are exact; the others draw the page once a second. */
export const clockMs = { exact: 250, second: 1_000, age: 30_000 }

/**
 * Calls the listener at intervals while the tab is visible, from one timer that all clocks of this interval share. Returns a function that
 * stops it.
 */
export function onTick(listener: (tick: number) => void, everyMs = clockMs.exact): () => void {
  const clock = tab.clocks.get(everyMs) ?? startClock(everyMs)
  clock.listeners.add(listener)
  return () => {
    clock.listeners.delete(listener)
    if (clock.listeners.size > 0) return
    clock.stop()
    if (tab.clocks.get(everyMs) === clock) tab.clocks.delete(everyMs)
  }
}

function startClock(everyMs: number): SharedClock {
  const listeners: SharedClock['listeners'] = new Set()
  let tick = 0
  const stop = everyVisible(everyMs, () => {
    tick += 1
    listeners.forEach((each) => each(tick))
  })
  const clock = { listeners, stop }
  tab.clocks.set(everyMs, clock)
  return clock
}
