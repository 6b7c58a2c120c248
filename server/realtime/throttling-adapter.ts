import { Adapter, ClusterAdapter, MessageType, type BroadcastOptions, type ClusterMessage } from 'socket.io-adapter'
import type { BatchedEvent } from '#shared/events/index.ts'
import type { Metrics } from '#server/platform/process/metrics.ts'
import { type Merges, paceRooms } from './room-throttle.ts'
import { isCrowdRoom } from './rooms.ts'

const eventType = 2

export interface Packet {
  type: number
  data: unknown
}

/** Delivers events to this node's sockets. Throttles rooms with a large audience. */
export abstract class PacedAdapter extends ClusterAdapter {
  readonly #pace: ReturnType<typeof paceRooms>

  readonly #deliveries: Metrics['deliveries']

  constructor(nsp: unknown, merges: Merges, deliveries: Metrics['deliveries']) {
    super(nsp)
    this.#deliveries = deliveries
    this.#pace = paceRooms(merges, (room, events) =>
      this.#deliver(
        { type: eventType, data: events.length === 1 ? events[0] : ['batch', events] },
        { rooms: new Set([room]), except: new Set() },
      ),
    )
  }

  override onMessage(message: ClusterMessage): void {
    if (message.uid === this.uid) return
    if (message.type !== MessageType.BROADCAST || message.data.requestId !== undefined) return super.onMessage(message)
    const { rooms, except, flags } = message.data.opts
    this.deliverLocally(message.data.packet as Packet, { rooms: new Set(rooms), except: new Set(except), flags })
  }

  protected deliverLocally(packet: Packet, opts: BroadcastOptions): void {
    const [room, ...others] = opts.rooms
    if (room !== undefined && others.length === 0 && isCrowdRoom(room)) {
      if (this.rooms.has(room)) this.#pace.enqueue(room, packet.data as BatchedEvent)
      return
    }
    // Send the queued events of these rooms first, so that this packet does not overtake them.
    this.#pace.flush(room === undefined ? undefined : opts.rooms)
    this.#deliver(packet, opts)
  }

  #count({ rooms, except = new Set() }: BroadcastOptions): number {
    const idsOf = (room: string): Iterable<string> => this.rooms.get(room) ?? []
    const [room, ...others] = rooms
    if (room !== undefined && others.length === 0 && except.size === 0) return this.rooms.get(room)?.size ?? 0
    const ids = new Set(room === undefined ? this.sids.keys() : [...rooms].flatMap((one) => [...idsOf(one)]))
    for (const out of except) for (const id of idsOf(out)) ids.delete(id)
    return ids.size
  }

  #deliver(packet: Packet, opts: BroadcastOptions): void {
    this.#deliveries.inc({ event: String((packet.data as BatchedEvent | undefined)?.[0]) }, this.#count(opts))
    Adapter.prototype.broadcast.call(this, packet, opts)
  }
}
