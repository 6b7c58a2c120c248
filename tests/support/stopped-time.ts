import { mock } from 'node:test'
import type { Test } from 'tap'

type Timers = typeof mock.timers
const Mock = mock.constructor as new () => typeof mock

/**
 * Time stands still until the test moves it. Each test has timers of its own: those that Node shares are one queue for the process, in which
 * what an earlier test has left (a socket keeps the functions that it was made with) takes timers of a later one away.
 */
export function stopTime(t: Test, options: Parameters<Timers['enable']>[0] = { apis: ['setTimeout'] }): Timers {
  const { timers } = new Mock()
  timers.enable(options)
  t.teardown(() => timers.reset())
  return timers
}
