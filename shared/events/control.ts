import { syncVectorMax } from '#shared/limits.ts'
import { Nullable, Timestamp } from '#shared/values.ts'
import Type, { type Static } from 'typebox'

export interface ControlEvents {
  /**
   * Sent once the socket is set up. If `build` has changed, a new client was deployed. If `dealerId` is not the page's dealer, somebody
   * else has signed in with this browser.
   */
  hello: (event: {
    node: string
    build: string
    serverTime: string
    dealerId: string
    dealerRev: number
    degraded: boolean
  }) => void
  /** `degraded` is true while the server process does not receive events from other processes. */
  heartbeat: (event: { degraded: boolean }) => void
  /** Sent before the server process shuts down. Reconnect after `inMs` plus a random share of `jitterMs`, or once disconnected. */
  drain: (event: { inMs: number; jitterMs: number }) => void
  /** Sent if events may have been lost. Refetch after a random share of `jitterMs`. */
  resync: (event: { jitterMs: number }) => void
  kick: (event: { code: 'signed_out' | 'revoked' | 'suspended' | 'expired' }) => void
}

const Key = Type.String({ minLength: 1, maxLength: 64 })
const Vector = Type.Record(Key, Type.Integer({ minimum: 0 }), { maxProperties: syncVectorMax })

/** Revisions of the client's data: the dealer's revision, each chat's `rev`, and the `version` of each post on screen. */
export const Sync = Type.Object(
  {
    dealer: Type.Integer({ minimum: 0 }),
    chats: Type.Optional(Vector),
    posts: Type.Optional(Vector),
  },
  { additionalProperties: false },
)
export type Sync = Static<typeof Sync>

export interface SyncAnswer {
  dealer?: number
  chats?: Record<string, number>
  /** Versions of posts. A version of 0 means that the post no longer exists. */
  posts?: Record<string, number>
  more?: boolean
}

const viewKinds = ['post', 'auction', 'lot', 'lane', 'feed', 'chat', 'dealer', 'ops'] as const
export type ViewKind = (typeof viewKinds)[number]

/**
 * Reports that an item appeared on screen or left it. `id` is empty for kinds with a single instance. `lot` is an unfocused pane of
 * the Lane, which receives fewer events. For an auction that is open or in focus, `auction` is sent in addition to `post`.
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

export type Ack<T = null> = { ok: true; data: T } | { ok: false; error: { code: string; message: string } }

export interface ControlCommands {
  /** Checks the connection after a time without packets. */
  ping: (ack: (answer: Ack) => void) => void
  sync: (vector: Sync, ack: (answer: Ack<SyncAnswer>) => void) => void
  view: (view: View, ack: (answer: Ack) => void) => void
}

/** Revisions from which a client without a socket learns which of its data is stale. */
export const SyncHeads = Type.Object({
  dealerRev: Type.Integer(),
  /** [chat id, `rev`, last `seq`, own read `seq`] of each of the most recently active chats. */
  chats: Type.Array(Type.Unsafe<[string, number, number, number]>(Type.Array(Type.Any()))),
  feedHead: Nullable(Type.String()),
  serverTime: Timestamp,
})

export type SyncHeads = Static<typeof SyncHeads>
