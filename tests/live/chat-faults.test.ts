import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import t from 'tap'
import { insertMessages } from '#server/features/messaging/messages.repository.ts'
import { startApp, type TestApp } from '#tests/support/app.ts'
import { openChat } from '#tests/support/chat.ts'
import { openChatClient } from '#tests/support/chat-client.ts'
import { forgetRedis, outbox } from '#tests/support/outbox.ts'
import { until } from '#tests/support/wait.ts'

const app = await startApp(t)
t.beforeEach(app.startOver)

/** Stores a message and its outbox row without sending them, like a process that died right after the commit. */
async function storeOnly({ server }: TestApp, senderId: string, chatId: string) {
  const message = { chatId, senderId, clientId: randomUUID(), content: 'Stored by a process that is gone' }
  const [outcome] = await insertMessages(server.ctx.db, [
    { ...message, attachmentUrl: null, attachmentName: null, postId: null },
  ])
  if (outcome === undefined || !('sent' in outcome)) throw new Error('the message was not stored')
  const { dealerIds: _, ...event } = outcome.sent
  return event
}

t.test('publishes a message once if its process died between commit and publication', async (t) => {
  const [dana, luis] = [await app.signIn('Torres'), await app.signIn('Herrera')]
  const chatId = await openChat(dana, luis)
  const live = await luis.live()
  const stored = await storeOnly(app, dana.id, chatId)
  await forgetRedis(app)
  t.same(await live.nextEvent('chat.message'), stored, 'the outbox publishes the same event with the same time')
  await until('the outbox to empty', async () => (await outbox(app, 'event')).length === 0)
  t.equal((await live.receivedAfterRoundTrip('chat.message')).length, 1)
})

t.test('shows a message once if its process died between publication and deletion', async (t) => {
  const app = await startApp(t, { ROLES: 'api,rt' })
  const [dana, luis] = [await app.signIn('Torres'), await app.signIn('Herrera')]
  const chatId = await openChat(dana, luis)
  const reader = await openChatClient(t, { chatId, cookie: luis.cookie, url: () => app.url })
  const live = await luis.live()
  const stored = await storeOnly(app, dana.id, chatId)
  app.server.ctx.bus.publish('message.sent', { messageId: stored.message.id })
  t.same(await live.nextEvent('chat.message'), stored)
  await startApp(t, { ROLES: 'worker' }, app.services)
  t.same(await live.nextEvent('chat.message'), stored, 'the sweeper publishes the message again')
  t.same(reader.contents(), [stored.message.content])
  await until('the outbox to empty', async () => (await outbox(app, 'event')).length === 0)
})

t.test('closes only a connection that floods or sends invalid events', async (t) => {
  const [dana, luis] = [await app.signIn('Torres'), await app.signIn('Herrera')]
  const chatId = await openChat(dana, luis)
  const luisTab = await luis.live()
  const misdeeds: Record<string, (emit: (name: string, payload: unknown) => void) => void> = {
    'io server disconnect: malformed': (emit) => {
      for (let n = 0; n < 12; n += 1) emit('typing', { chatId: 'x'.repeat(3_000) })
    },
    'io server disconnect: unknown': (emit) => {
      for (let n = 0; n < 12; n += 1) emit('become-admin', {})
    },
    'io server disconnect: a flood': (emit) => {
      for (let n = 0; n < 600; n += 1) emit('typing', { chatId })
    },
    'transport close: oversized': (emit) => emit('typing', { chatId: 'x'.repeat(20_000) }),
  }
  for (const [end, misbehave] of Object.entries(misdeeds)) {
    const { socket } = await dana.live()
    const ended = once(socket as never, 'disconnect')
    misbehave((name, payload) => socket.emit(name as 'typing', payload as never, () => undefined))
    const [reason] = await ended
    t.equal(reason, end.split(':')[0], end)
  }
  await luis.post('/api/messages', { chatId, content: 'Still here' })
  t.match(await luisTab.nextEvent('chat.message'), { message: { content: 'Still here' } })
  t.ok((await dana.live()).socket.connected, 'the dealer may connect again')
})
