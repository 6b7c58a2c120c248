import { mock } from 'node:test'
import type { Test } from 'tap'

type Timers = typeof mock.timers
const Mock = mock.constructor as new () => typeof mock

/** Replaces the clock with one that only the test advances. Timers keep running. Call this first, so that a slow machine does not matter. */
export function aClock(t: Test): { ms: number } {
  const clock = { ms: Date.now() }
  t.intercept(Date, 'now', { value: () => clock.ms })
  return clock
}

/** Stops time until the test advances it. Each test gets its own mock, because earlier tests leave timers in Node's shared mock. */
export function stopTime(t: Test, options: Parameters<Timers['enable']>[0] = { apis: ['setTimeout'] }): Timers {
  const { timers } = new Mock()
  timers.enable(options)
  t.teardown(() => timers.reset())
  return timers
}
