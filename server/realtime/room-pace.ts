import type { FeatureEvents, BatchedEvent } from '#shared/events/index.ts'
import { createPaced, type Pace } from './paced.ts'
import { laneRoom, lotRoom } from './rooms.ts'

/** A room hears ten packets a second, however much happens: what a thousand watchers cost is then bounded. */
const crowdPace: Pace = { everyMs: 100 }
/** One beside which its watchers have others: five of them and a room of its own pace stay below twenty packets a second. */
const lotPace: Pace = { everyMs: 600, atOnce: 1 }
const lanePace: Pace = { everyMs: 1_000, atOnce: 1 }

const lotRooms = lotRoom('')

type Payload<E extends keyof FeatureEvents> = Parameters<FeatureEvents[E]>[0]

/**
 * Of a state that waits to be told and the next one: the one that says what both do, told in the place of the first.
 * Undefined: neither can stand for the other, and both are told.
 */
export type Merges = {
  [E in keyof FeatureEvents]?: (held: Payload<E>, next: Payload<E>) => Payload<E> | undefined
}

export interface RoomPace {
  /** Tells a room, at once where it was silent. */
  hear(room: string, said: BatchedEvent): void
  /** Tells these rooms now what waits for them, or every room. */
  flush(rooms?: Iterable<string>): void
}

/**
 * Paces what the rooms of this node hear, whoever says it. What is said in one turn of the event loop goes out together, and so
 * does what is said while a room has had its share: in order, nothing left out but states that a newer one stands for.
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
