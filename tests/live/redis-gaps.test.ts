import t from 'tap'
import { startApp } from '#tests/support/app.ts'
import { openChat, say } from '#tests/support/chat.ts'
import { hangUp, reconnect } from '#tests/support/redis.ts'

t.test('resyncs other nodes after one could not publish', async (t) => {
  const shaken = await startApp(t)
  const steady = await startApp(t, {}, shaken.services)
  const [dana, luis] = [await steady.signIn('Torres'), await steady.signIn('Herrera')]
  const chatId = await openChat(dana, luis)
  const [near, far] = [await steady.on(shaken, luis).live(), await luis.live()]
  const { publisher } = shaken.server.ctx.redis
  await hangUp(publisher)
  await say(steady.on(shaken, dana), chatId, 'Only this node hears it')
  await near.nextEvent('chat.message')
  t.same(await far.receivedAfterRoundTrip('chat.message'), [], 'the other node does not receive it')
  await reconnect(publisher)
  t.match(await far.nextEvent('resync'), { jitterMs: Number })
  t.match(await far.sync({ dealer: 0, chats: { [chatId]: 0 } }), { data: { chats: { [chatId]: 1 } } })
  t.same(await near.receivedAfterRoundTrip('resync'), [], 'clients that missed nothing are not asked to resync')
})
