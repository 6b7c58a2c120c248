import { Nullable, Timestamp } from '#shared/values.ts'
import Type, { type Static } from 'typebox'

/** Server-to-client control events. */
export interface ControlEvents {
  /**
   * Said once all rooms are joined. `build` names the client that the server hands out: another one means a deploy. `dealerId` says
   * whose connection it is, which is another's where a browser has another session since the page was opened. `degraded` as in
   * `heartbeat`.
   */
  hello: (event: {
    node: string
    build: string
    serverTime: string
    dealerId: string
    dealerRev: number
    degraded: boolean
  }) => void
  /** Whether events of other nodes do not arrive at this one just now: said when it changes. */
  heartbeat: (event: { degraded: boolean }) => void
  /** This node is going: leave it after `inMs` plus a random share of `jitterMs`, unless it has closed the connection by then. */
  drain: (event: { inMs: number; jitterMs: number }) => void
  /** Events may have been missed: ask again, after a random share of `jitterMs`. */
  resync: (event: { jitterMs: number }) => void
  /** This session is over. No reconnection. */
  kick: (event: { code: 'signed_out' | 'revoked' | 'suspended' | 'expired' }) => void
}

const Key = Type.String({ minLength: 1, maxLength: 64 })
const Vector = Type.Record(Key, Type.Integer({ minimum: 0 }), { maxProperties: 60 })

/** What the client holds: its own number, chats by rev, posts on screen by version. */
export const Sync = Type.Object(
  {
    dealer: Type.Integer({ minimum: 0 }),
    chats: Type.Optional(Vector),
    posts: Type.Optional(Vector),
  },
  { additionalProperties: false },
)
export type Sync = Static<typeof Sync>

/** Only what is stale: the current numbers of it. */
export interface SyncAnswer {
  dealer?: number
  chats?: Record<string, number>
  /** 0 of a post that is gone. */
  posts?: Record<string, number>
  /** More is stale than one answer holds: ask again after catching up. */
  more?: boolean
}

const viewKinds = ['post', 'auction', 'lot', 'lane', 'feed', 'chat', 'dealer', 'ops'] as const
export type ViewKind = (typeof viewKinds)[number]

/**
 * Something came on screen or left it. `id` is empty for kinds of which there is one. `lot` is a place of the Lane without the focus: it
 * hears the same `auction.state` as `post`, less often. `auction` is one that is open or has the focus, beside `post`. Whoever has it as
 * `auction` or `lot` is one of its viewers.
 */
export const View = Type.Object(
  {
    kind: Type.Unsafe<ViewKind>(Type.String({ enum: [...viewKinds] })),
    id: Type.String({ maxLength: 64 }),
    on: Type.Boolean(),
  },
  { additionalProperties: false },
)
export type View = Static<typeof View>

/** Acknowledgement of every inbound event. */
export type Ack<T = null> = { ok: true; data: T } | { ok: false; error: { code: string; message: string } }

export interface ControlCommands {
  /** Nothing was heard for a while: is the line still there? Answered at once. */
  ping: (ack: (answer: Ack) => void) => void
  sync: (vector: Sync, ack: (answer: Ack<SyncAnswer>) => void) => void
  view: (view: View, ack: (answer: Ack) => void) => void
}

/** GET /api/heads: the numbers by which a client without a socket learns that it is behind. */
export const SyncHeads = Type.Object({
  dealerRev: Type.Integer(),
  /** Chat, rev, last seq, own read seq; the most recently active chats. */
  chats: Type.Array(Type.Unsafe<[string, number, number, number]>(Type.Array(Type.Any()))),
  /** The newest post, if any. */
  feedHead: Nullable(Type.String()),
  serverTime: Timestamp,
})

export type SyncHeads = Static<typeof SyncHeads>
