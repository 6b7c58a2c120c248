import type { LiveHandlers } from '#client/lib/live.ts'
import type { LaneEvents } from '#shared/events/lane.ts'

/** Nothing is kept of the Lane before it is opened. */
export const laneLive: LiveHandlers<LaneEvents> = {
  'lane.rows': () => undefined,
  'lane.placed': () => undefined,
}
