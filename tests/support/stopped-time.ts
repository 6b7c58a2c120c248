import { mock } from 'node:test'
import type { Test } from 'tap'

type Timers = typeof mock.timers
const Mock = mock.constructor as new () => typeof mock

/**
 * Stops time until the test advances it. Each test has its own mock: Node's shared one is a single queue, where leftovers of an
 * earlier test (such as sockets with captured functions) take timers of later ones.
 */
export function stopTime(t: Test, options: Parameters<Timers['enable']>[0] = { apis: ['setTimeout'] }): Timers {
  const { timers } = new Mock()
  timers.enable(options)
  t.teardown(() => timers.reset())
  return timers
}
