import type { InboxHandlers, LiveHandlers } from '#client/lib/live/live-queries.ts'
import type { MessagingEvents } from '#shared/events/messaging.ts'
import { messagingKeys } from './messaging.api.ts'
import { findMessageClient } from './sync/current-client.ts'

/** Events carry absolute state, so late or repeated events are harmless. */
export const messagingLive: LiveHandlers<MessagingEvents> = {
  'chat.message': (_cache, event) => findMessageClient()?.receive(event),
  'chat.read': (_cache, event) => findMessageClient()?.data.receiveRead(event),
  'chat.typing': (_cache, { chatId, dealerId, ttlMs }) => findMessageClient()?.typing.receive(chatId, dealerId, ttlMs),
  presence: (_cache, { dealerId, online }) => findMessageClient()?.receivePresence(dealerId, online),
}

export const syncOnConnected = (): void => findMessageClient()?.onConnected()

export const pollWhenOffline = (): void => findMessageClient()?.onOffline()

/** Refetches the chats after the dealer opened, muted or blocked a chat in another tab, or the demo generated chats. */
export const messagingInbox = {
  chat(cache) {
    const client = findMessageClient()
    if (client) void cache.invalidateQueries({ queryKey: messagingKeys.loading(client.dealerId) })
  },
} satisfies InboxHandlers
