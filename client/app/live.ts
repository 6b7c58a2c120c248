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
import { onboardingInbox } from '#client/features/onboarding/onboarding.live.ts'
import { pushInbox } from '#client/features/push/push.live.ts'
import { savedInbox } from '#client/features/saved/saved.live.ts'
import { wantedInbox } from '#client/features/wanted/wanted.live.ts'
import { opsLive } from '#client/features/ops/ops.live.ts'
import { postsLive } from '#client/features/posts/posts.live.ts'
import { reviewsInbox } from '#client/features/reviews/reviews.live.ts'
import { promotionsLive } from '#client/features/promotions/promotions.live.ts'
import { dashboardInbox } from '#client/features/dashboard/dashboard.live.ts'
import { useCurrentDealer } from '#client/lib/session/current-dealer.ts'
import { joinInbox, type LiveHandlers } from '#client/lib/live/live-queries.ts'
import type { LiveSocket } from '#client/lib/live/connection.ts'
import { connectSocket, openLive } from '#client/lib/live/socket.ts'
import { uploadLive } from '#client/lib/files/upload.live.ts'
import type { FeatureEvents } from '#shared/events/index.ts'

/** The event handlers of all features. An event without a handler is a compile error. */
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

export const inbox = joinInbox([
  dealsInbox,
  reviewsInbox,
  dealersInbox,
  dashboardInbox,
  billingInbox,
  messagingInbox,
  notificationsInbox,
  onboardingInbox,
  pushInbox,
  savedInbox,
  laneInbox,
  wantedInbox,
])

const onConnected: ((socket: LiveSocket) => void)[] = [syncOnConnected]

const onOffline = [pollWhenOffline]

export function useLive(): void {
  const cache = useQueryClient()
  const { id } = useCurrentDealer()
  // Start messaging before the socket opens, so that it receives the first connect event.
  useEffect(() => startMessaging(id, cache), [id, cache])
  useEffect(() => openLive({ socket: connectSocket(), cache, handlers, inbox, onConnected, onOffline }), [cache])
}
