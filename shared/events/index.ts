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
import type { PushCommands } from './push.ts'

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

export type BatchedEvent = {
  [E in keyof FeatureEvents]: [name: E, event: Parameters<FeatureEvents[E]>[0]]
}[keyof FeatureEvents]

interface BatchEvents {
  /** Several events of one room, in order. Handle each of them as if it had arrived separately. */
  batch: (said: BatchedEvent[]) => void
}

export interface ServerToClient extends FeatureEvents, ControlEvents, InboxEvents, BatchEvents {}

/** The server validates and acknowledges each of these events. */
export interface ClientToServer extends ControlCommands, MessagingCommands, PushCommands {}
