import { typingTtlMs } from '#shared/limits.ts'
import { Typing } from '#shared/events/messaging.ts'
import { forbidden } from '#server/errors.ts'
import { isId } from '#server/platform/ids.ts'
import { onCommand } from '#server/realtime/socket-commands.ts'
import type { LiveFeature } from '#server/realtime/live-server.ts'
import { chatRoom, dealerRoom } from '#server/realtime/rooms.ts'
import { startDemoReplies } from './replies-demo.service.ts'
import { findNumbers } from './messages.repository.ts'
import { readSent } from './messages.service.ts'
import type { SentMessage } from './messaging.events.ts'
import { mayShowTyping } from './chat-members.repository.ts'
import { chatSyncHeads, compareChats } from './chats.service.ts'

const typingLimit = { name: 'socket-typing', max: 40, seconds: 60 }

/** One emit to both dealers' rooms is encoded only once. Dealers are always in their own room, so a new chat needs no join. */
export const messagingLive: LiveFeature = {
  publish(ctx, io) {
    startDemoReplies(ctx)
    const emitToBoth = ({ dealerIds, ...event }: SentMessage) =>
      void io.to(dealerIds.map(dealerRoom)).emit('chat.message', event)
    ctx.bus.on('message.sent', async (event) => {
      const sent = await readSent(ctx, event)
      if (sent !== undefined) emitToBoth(sent)
    })
    ctx.bus.on('message.changed', emitToBoth)
    ctx.bus.on('chat.read', ({ otherId, ...event }) => {
      const dealerIds = otherId === undefined ? [event.dealerId] : [event.dealerId, otherId]
      io.to(dealerIds.map(dealerRoom)).emit('chat.read', event)
    })
    ctx.bus.on(
      'chat.typing',
      (event) => void io.to(chatRoom(event.chatId)).volatile.emit('chat.typing', { ...event, ttlMs: typingTtlMs }),
    )
  },
  views: {
    chat: async (ctx, actor, id) =>
      isId(id) && (await findNumbers(ctx.db, actor.dealerId, id)) !== undefined ? chatRoom(id) : undefined,
  },
  sync: (ctx, actor, { chats }) => compareChats(ctx, actor, chats),
  heads: (ctx, { dealerId }) => chatSyncHeads(ctx, dealerId),
  commands(ctx, socket) {
    onCommand(ctx, socket, 'typing', Typing, typingLimit, async ({ chatId }) => {
      const { actor, viewing } = socket.data
      // A dealer in the chat's room has already passed the permission check, so check only the settings.
      if (![...viewing.values()].includes(chatRoom(chatId))) throw forbidden('Open the chat before typing in it')
      if (await mayShowTyping(ctx.db, actor.dealerId, chatId))
        ctx.bus.publish('chat.typing', { chatId, dealerId: actor.dealerId })
      return null
    })
  },
}
