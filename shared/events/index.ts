import type { AuctionEvents } from './auctions.ts'
import type { CommentEvents } from './comments.ts'
import type { ControlCommands, ControlEvents } from './control.ts'
import type { InboxEvents } from './notifications.ts'
import type { LaneEvents } from './lane.ts'
import type { MessagingCommands, MessagingEvents } from './messaging.ts'
import type { ObjectEvents } from './uploads.ts'
import type { OpsEvents } from './ops.ts'
import type { PostEvents } from './posts.ts'
import type { PromotionEvents } from './promotions.ts'

/** What features say to those who look at the same thing. A feature adds its map here. */
export interface FeatureEvents
  extends
    AuctionEvents,
    LaneEvents,
    PostEvents,
    CommentEvents,
    ObjectEvents,
    MessagingEvents,
    PromotionEvents,
    OpsEvents {}

/** One of these events as it stands in a batch. */
export type BatchedEvent = {
  [E in keyof FeatureEvents]: [name: E, event: Parameters<FeatureEvents[E]>[0]]
}[keyof FeatureEvents]

interface BatchEvents {
  /** What a room was told at once, in order: each as if it had come by itself. One that comes alone comes by its own name. */
  batch: (said: BatchedEvent[]) => void
}

/** Everything the server may push. */
export interface ServerToClient extends FeatureEvents, ControlEvents, InboxEvents, BatchEvents {}

/** Everything a client may say; each is schema-checked and acknowledged. */
export interface ClientToServer extends ControlCommands, MessagingCommands {}
