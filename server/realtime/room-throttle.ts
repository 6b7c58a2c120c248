import type { FeatureEvents, BatchedEvent } from '#shared/events/index.ts'
import { createPaced, type Pace } from './throttle.ts'
import { laneRoom, lotRoom } from './rooms.ts'

/** At most ten packets a second per room, which limits the cost of a large audience. */
const crowdPace: Pace = { everyMs: 100 }
/** A Lane watcher follows five lots and the Lane room; together they stay below twenty packets a second. */
const lotPace: Pace = { everyMs: 600, atOnce: 1 }
const lanePace: Pace = { everyMs: 1_000, atOnce: 1 }

const lotRooms = lotRoom('')

type Payload<E extends keyof FeatureEvents> = Parameters<FeatureEvents[E]>[0]

/** Merges a queued state with a newer one. If it returns undefined, both events are sent. */
export type Merges = {
  [E in keyof FeatureEvents]?: (held: Payload<E>, next: Payload<E>) => Payload<E> | undefined
}

export interface RoomPace {
  hear(room: string, said: BatchedEvent): void
  flush(rooms?: Iterable<string>): void
}

/**
 * Throttles events per room. Events of one turn of the event loop, or waiting for the throttle, share a packet in
 * order.
 */
export function paceRooms(merges: Merges, deliver: (room: string, said: BatchedEvent[]) => void): RoomPace {
  const waiting = new Map<string, BatchedEvent[]>()
  const send = (room: string) => {
    const said = waiting.get(room)
    waiting.delete(room)
    if (said !== undefined) deliver(room, said)
  }
  const [crowd, lot, lane] = [createPaced(crowdPace, send), createPaced(lotPace, send), createPaced(lanePace, send)]
  const pacedOf = (room: string) => {
    if (room === laneRoom) return lane
    return room.startsWith(lotRooms) ? lot : crowd
  }

  function add(held: BatchedEvent[], [name, next]: BatchedEvent): void {
    const place = held.findLastIndex(([known]) => known === name)
    const merge = merges[name] as ((held: unknown, next: unknown) => unknown) | undefined
    const merged = place === -1 ? undefined : merge?.(held[place]?.[1], next)
    if (merged === undefined) held.push([name, next] as BatchedEvent)
    else held[place] = [name, merged] as BatchedEvent
  }

  return {
    hear(room, said) {
      const held = waiting.get(room)
      if (held !== undefined) return add(held, said)
      waiting.set(room, [said])
      queueMicrotask(() => {
        if (waiting.has(room)) pacedOf(room).tell(room)
      })
    },
    flush(rooms = [...waiting.keys()]) {
      for (const room of rooms) {
        if (waiting.has(room)) pacedOf(room).tell(room)
        pacedOf(room).flush([room])
      }
    },
  }
}
