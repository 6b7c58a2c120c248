import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { auctionsLive } from '#client/features/auctions/auctions.live.ts'
import { commentsLive } from '#client/features/comments/comments.live.ts'
import { laneInbox, laneLive } from '#client/features/lane/lane.live.ts'
import { dealersInbox } from '#client/features/dealers/dealers.live.ts'
import { dealsInbox } from '#client/features/deals/deals.live.ts'
import { billingInbox } from '#client/features/billing/billing.live.ts'
import {
  messagingInbox,
  messagingLive,
  pollWhenOffline,
  syncOnConnected,
} from '#client/features/messaging/messaging.live.ts'
import { startMessaging } from '#client/features/messaging/sync/current-client.ts'
import { notificationsInbox } from '#client/features/notifications/notifications.live.ts'
import { savedInbox } from '#client/features/saved/saved.live.ts'
import { wantedInbox } from '#client/features/wanted/wanted.live.ts'
import { opsLive } from '#client/features/ops/ops.live.ts'
import { postsLive } from '#client/features/posts/posts.live.ts'
import { reviewsInbox } from '#client/features/reviews/reviews.live.ts'
import { promotionsLive } from '#client/features/promotions/promotions.live.ts'
import { dashboardInbox } from '#client/features/dashboard/dashboard.live.ts'
import { useCurrentDealer } from '#client/lib/current-dealer.ts'
import { joinInbox, type LiveHandlers } from '#client/lib/live.ts'
import type { LiveSocket } from '#client/lib/connection.ts'
import { connectSocket, openLive } from '#client/lib/socket.ts'
import { uploadLive } from '#client/lib/upload.live.ts'
import type { FeatureEvents } from '#shared/events/index.ts'

/** Every feature's event handlers, joined. An event that no feature handles does not compile. */
export const handlers: LiveHandlers<FeatureEvents> = {
  ...postsLive,
  ...commentsLive,
  ...uploadLive,
  ...promotionsLive,
  ...opsLive,
  ...auctionsLive,
  ...laneLive,
  ...messagingLive,
}

/** What each feature fetches again when something of the dealer's own changed. */
export const inbox = joinInbox([
  dealsInbox,
  reviewsInbox,
  dealersInbox,
  dashboardInbox,
  billingInbox,
  messagingInbox,
  notificationsInbox,
  savedInbox,
  laneInbox,
  wantedInbox,
])

/** Streams with numbers of their own catch up at every connection. */
const onConnected: ((socket: LiveSocket) => void)[] = [syncOnConnected]

/** Those that poll beside the feed begin with it. */
const onOffline = [pollWhenOffline]

/** Holds the tab's socket open, and keeps the dealer's messages, while the signed-in app is shown. */
export function useLive(): void {
  const cache = useQueryClient()
  const { id } = useCurrentDealer()
  // Before the socket opens: there is somebody who hears that it is connected.
  useEffect(() => startMessaging(id, cache), [id, cache])
  useEffect(() => openLive({ socket: connectSocket(), cache, handlers, inbox, onConnected, onOffline }), [cache])
}
