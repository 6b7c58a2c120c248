import type { InboxHandlers, LiveHandlers } from '#client/lib/live.ts'
import type { MessagingEvents } from '#shared/events/messaging.ts'
import { chatsQuery } from './chat-list.ts'
import { notice } from './messaging.notices.ts'
import { settle } from './messaging.outbox.ts'
import { messagingStore, receiveMessage, receiveRead } from './messaging.store.ts'
import { hearTyping } from './messaging-typing.ts'
import { fill, watchGap } from './messaging.sync.ts'

/** Events into the store: each carries absolute state, so twice or late is harmless. */
export const messagingLive: LiveHandlers<MessagingEvents> = {
  'chat.message': (_cache, event) => {
    if (event.message.senderId === messagingStore.get().dealerId) settle(event.message)
    if (receiveMessage(event)) watchGap(event.chatId)
    else void fill(event.chatId)
    notice(event)
  },
  'chat.read': (_cache, event) => receiveRead(event),
  'chat.typing': (_cache, { chatId, dealerId, ttlMs }) => {
    if (dealerId === messagingStore.get().dealerId) return
    hearTyping(chatId, ttlMs)
  },
  presence: (_cache, { dealerId, online }) =>
    messagingStore.set((state) => {
      if (online) state.online[dealerId] = true
      else delete state.online[dealerId]
    }),
}

/** A chat was opened, muted or blocked in another tab, or a demo was made. */
export const messagingInbox: InboxHandlers = {
  chat: (cache) => void cache.invalidateQueries({ queryKey: chatsQuery(messagingStore.get().dealerId).queryKey }),
}
