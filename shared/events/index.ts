import type { AuctionEvents } from './auctions.ts'
import type { CommentEvents } from './comments.ts'
import type { ControlCommands, ControlEvents } from './control.ts'
import type { InboxEvents } from './notifications.ts'
import type { MessagingCommands, MessagingEvents } from './messaging.ts'
import type { ObjectEvents } from './uploads.ts'
import type { OpsEvents } from './ops.ts'
import type { PostEvents } from './posts.ts'
import type { PromotionEvents } from './promotions.ts'

/** Everything the server may push. A feature adds its map here. */
export interface ServerToClient
  extends
    AuctionEvents,
    ControlEvents,
    InboxEvents,
    PostEvents,
    CommentEvents,
    ObjectEvents,
    MessagingEvents,
    PromotionEvents,
    OpsEvents {}

/** Everything a client may say; each is schema-checked and acknowledged. */
export interface ClientToServer extends ControlCommands, MessagingCommands {}
