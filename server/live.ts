import type { LiveFeature } from './realtime/live-server.ts'
import { auctionsLive } from './features/auctions/auctions.live.ts'
import { isBlocked } from './features/dealers/connections.service.ts'
import { listShowing } from './features/dealers/dealers.service.ts'
import { laneLive } from './features/lane/lane.live.ts'
import { messagingLive } from '#server/features/messaging/messaging.live.ts'
import { commentsLive } from './features/comments/comments.live.ts'
import { inboxLive } from '#server/features/notifications/inbox.live.ts'
import { opsLive } from './features/ops/ops.live.ts'
import { postsLive } from './features/posts/posts.live.ts'
import { presenceLive } from './realtime/presence.ts'
import { promotionsLive } from './features/promotions/promotions.live.ts'
import { pushLive } from './features/push/push.live.ts'
import { uploadsLive } from './features/uploads/uploads.live.ts'

export const liveFeatures: LiveFeature[] = [
  inboxLive,
  postsLive,
  commentsLive,
  auctionsLive,
  laneLive,
  uploadsLive,
  messagingLive,
  presenceLive(listShowing, isBlocked),
  promotionsLive,
  pushLive,
  opsLive,
]
