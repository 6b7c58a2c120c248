import { LRUCache } from 'lru-cache'
import { Active } from '#shared/events/push.ts'
import { readSent } from '#server/features/messaging/messages.service.ts'
import type { Context } from '#server/platform/process/context.ts'
import { onCommand } from '#server/realtime/socket-commands.ts'
import type { LiveFeature } from '#server/realtime/live-server.ts'
import { noteActive } from './push-active.ts'
import { hasDevice } from './push.repository.ts'

const activeLimit = { name: 'socket-active', max: 10, seconds: 60 }
/** A message is pushed after this many milliseconds if it is still unread. */
const messageWaitMs = 3_000
const dealersMax = 10_000
/** For this long, caches whether a dealer has a device, which saves a query per message. */
const devicesKnownMs = 10_000

function pushMessages(ctx: Context): void {
  const reachable = new LRUCache<string, boolean>({
    max: dealersMax,
    ttl: devicesKnownMs,
    fetchMethod: async (dealerId) => hasDevice(ctx.db, dealerId),
  })
  ctx.bus.on('inbox.changed', ({ dealerId, what }) => void (what === 'push' && reachable.delete(dealerId)))
  ctx.bus.on('message.sent', async (event) => {
    const sent = await readSent(ctx, event)
    if (sent === undefined) return
    const { chatId, dealerIds, message } = sent
    const dealerId = dealerIds.find((id) => id !== message.senderId)
    if (dealerId === undefined || !(await reachable.forceFetch(dealerId))) return
    const runAt = new Date(ctx.now().getTime() + messageWaitMs)
    await ctx.transact((_tx, emit) =>
      emit.job('push.chat', { chatId, dealerId, late: false }, { runAt, uniqueKey: `${chatId}:${dealerId}` }),
    )
  })
}

export const pushLive: LiveFeature = {
  publish(ctx) {
    if (ctx.config.push.on) pushMessages(ctx)
  },
  commands(ctx, socket) {
    onCommand(ctx, socket, 'active', Active, activeLimit, async () => {
      await noteActive(ctx, socket.data.actor.dealerId)
      return null
    })
  },
}
