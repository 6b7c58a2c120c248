import { mock } from 'node:test'
import type { Test } from 'tap'

type Timers = typeof mock.timers
const Mock = mock.constructor as new () => typeof mock

/**
 * Stops time until the test advances it. Each test gets its own mock. Node's shared mock has a single queue, in which leftovers of an
 * earlier test, such as sockets that kept a timer function, interfere with timers of later tests.
 */
export function stopTime(t: Test, options: Parameters<Timers['enable']>[0] = { apis: ['setTimeout'] }): Timers {
  const { timers } = new Mock()
  timers.enable(options)
  t.teardown(() => timers.reset())
  return timers
}
