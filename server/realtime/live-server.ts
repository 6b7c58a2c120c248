import type { Server, Socket } from 'socket.io'
import type { ClientToServer, ServerToClient } from '#shared/events/index.ts'
import type { Sync, SyncAnswer, SyncHeads, ViewKind } from '#shared/events/control.ts'
import type { Context } from '#server/platform/process/context.ts'
import type { Actor } from '#server/platform/session/session.ts'
import type { Merges } from './room-throttle.ts'

export interface SocketData {
  actor: Actor
  viewing: Map<string, string>
}

type NoServerEvents = Record<string, never>
export type LiveServer = Server<ClientToServer, ServerToClient, NoServerEvents, SocketData>
export type LiveSocket = Socket<ClientToServer, ServerToClient, NoServerEvents, SocketData>

/** Returns the room to join for an item on the client's screen, or undefined if the dealer may not see the item. */
export type ViewRule = (ctx: Context, actor: Actor, id: string) => Promise<string | undefined>

export type HeadsOf = (ctx: Context, actor: Actor) => Promise<Partial<Omit<SyncHeads, 'serverTime'>>>

/** A feature's real-time behavior. Features are registered in `server/live.ts`. */
export interface LiveFeature {
  /** Sends domain events to rooms. Every process calls it at startup. Returns a function that stops its timers. */
  publish?: (ctx: Context, io: LiveServer) => (() => void) | void
  merges?: Merges
  views?: Partial<Record<ViewKind, ViewRule>>
  connected?: (ctx: Context, socket: LiveSocket) => Promise<void>
  viewed?: (ctx: Context, actor: Actor, kind: ViewKind, id: string, on: boolean) => void
  sync?: (ctx: Context, actor: Actor, vector: Sync) => Promise<SyncAnswer>
  heads?: HeadsOf
  commands?: (ctx: Context, socket: LiveSocket) => void
}
