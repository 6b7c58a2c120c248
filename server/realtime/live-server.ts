import type { Server, Socket } from 'socket.io'
import type { ClientToServer, ServerToClient } from '#shared/events/index.ts'
import type { Sync, SyncAnswer, SyncHeads, ViewKind } from '#shared/events/control.ts'
import type { Context } from '#server/platform/context.ts'
import type { Actor } from '#server/platform/session.ts'
import type { Merges } from './room-pace.ts'

export interface SocketData {
  actor: Actor
  /** Rooms joined through `view`, each by what is on screen, so that a flood is bounded. */
  viewing: Map<string, string>
}

type NoServerEvents = Record<string, never>
export type LiveServer = Server<ClientToServer, ServerToClient, NoServerEvents, SocketData>
export type LiveSocket = Socket<ClientToServer, ServerToClient, NoServerEvents, SocketData>

/** The room to join for something on screen, or undefined when this dealer may not see it. */
export type ViewRule = (ctx: Context, actor: Actor, id: string) => Promise<string | undefined>

/** Numbers that a poll compares with what the client holds. */
export type HeadsOf = (ctx: Context, actor: Actor) => Promise<Partial<Omit<SyncHeads, 'serverTime'>>>

/** What a feature adds to the real-time side. `server/live.ts` lists them. */
export interface LiveFeature {
  /** Domain events to rooms: runs in every process, also where no socket is held. Answers how to stop what it does by the clock. */
  publish?: (ctx: Context, io: LiveServer) => (() => void) | void
  /** States of which a newer one stands for an older one that waits in the same room. */
  merges?: Merges
  /** Who may join what with `view`. */
  views?: Partial<Record<ViewKind, ViewRule>>
  /** A dealer's socket connected: rooms to join at once. */
  connected?: (ctx: Context, socket: LiveSocket) => Promise<void>
  /** Something came on screen or left it. */
  viewed?: (ctx: Context, actor: Actor, kind: ViewKind, id: string, on: boolean) => void
  /** Numbers of this feature's streams that differ from what the client holds. */
  sync?: (ctx: Context, actor: Actor, vector: Sync) => Promise<SyncAnswer>
  /** This feature's numbers for a client without a socket. */
  heads?: HeadsOf
  /** Inbound events of the feature's own; each goes through `onCommand`. */
  commands?: (ctx: Context, socket: LiveSocket) => void
}
