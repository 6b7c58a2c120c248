import type { FeatureEvents, BatchedEvent } from '#shared/events/index.ts'
import { createPaced, type Pace } from './throttle.ts'
import { laneRoom, lotRoom } from './rooms.ts'

/** Limits rooms with a large audience to about ten packets a second, because each packet goes to many sockets. */
const crowdPace: Pace = { everyMs: 100 }
/** A dealer on the Lane is in its room, five lot rooms and the focused auction's room: together under 20 packets a second. */
const lotPace: Pace = { everyMs: 600, atOnce: 1 }
const lanePace: Pace = { everyMs: 1_000, atOnce: 1 }

const lotRooms = lotRoom('')

type Payload<E extends keyof FeatureEvents> = Parameters<FeatureEvents[E]>[0]

/** Functions that merge a queued event with a newer event of the same name. If one returns undefined, both events are sent. */
export type Merges = {
  [E in keyof FeatureEvents]?: (queued: Payload<E>, next: Payload<E>) => Payload<E> | undefined
}

export interface RoomPace {
  enqueue(room: string, event: BatchedEvent): void
  flush(rooms?: Iterable<string>): void
}

/** Throttles events per room. Events that wait are sent in one packet and keep their order. */
export function paceRooms(merges: Merges, deliver: (room: string, events: BatchedEvent[]) => void): RoomPace {
  const waiting = new Map<string, BatchedEvent[]>()
  const send = (room: string) => {
    const events = waiting.get(room)
    waiting.delete(room)
    if (events !== undefined) deliver(room, events)
  }
  const [crowd, lot, lane] = [createPaced(crowdPace, send), createPaced(lotPace, send), createPaced(lanePace, send)]
  const pacedOf = (room: string) => {
    if (room === laneRoom) return lane
    return room.startsWith(lotRooms) ? lot : crowd
  }

  function add(queued: BatchedEvent[], [name, next]: BatchedEvent): void {
    const index = queued.findLastIndex(([known]) => known === name)
    const merge = merges[name] as ((queued: unknown, next: unknown) => unknown) | undefined
    const merged = index === -1 ? undefined : merge?.(queued[index]?.[1], next)
    if (merged === undefined) queued.push([name, next] as BatchedEvent)
    else queued[index] = [name, merged] as BatchedEvent
  }

  return {
    enqueue(room, event) {
      const queued = waiting.get(room)
      if (queued !== undefined) return add(queued, event)
      waiting.set(room, [event])
      queueMicrotask(() => {
        if (waiting.has(room)) pacedOf(room).request(room)
      })
    },
    flush(rooms = [...waiting.keys()]) {
      for (const room of rooms) {
        if (waiting.has(room)) pacedOf(room).request(room)
        pacedOf(room).flush([room])
      }
    },
  }
}
