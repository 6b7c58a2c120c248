import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Server } from 'socket.io'
import { io } from 'socket.io-client'
import t from 'tap'
import { insertMessages } from '#server/features/chats/messages.repository.ts'
import { startApp } from '#tests/support/app.ts'
import { openChat } from '#tests/support/chat.ts'
import { type ChatClient, openChatClient } from '#tests/support/chat-client.ts'
import { startNode } from '#tests/support/node-process.ts'
import { proxyTo } from '#tests/support/proxy.ts'
import { testServices } from '#tests/support/services.ts'
import { until } from '#tests/support/wait.ts'

const converged = (clients: ChatClient[], total: number) =>
  until(
    'every client to hold everything',
    async () => {
      for (const client of clients) if (client.contents().length < total) await client.audit()
      return clients.every((client) => client.contents().length === total)
    },
    30_000,
  )

t.test(
  'nodes are killed, Redis and PostgreSQL go away: nothing acknowledged is lost, doubled or reordered',
  async (t) => {
    const services = await testServices(t)
    const redis = await proxyTo(t, services.REDIS_URL)
    const postgres = await proxyTo(t, services.DATABASE_URL)
    // Stands by undisturbed: makes the dealers, and sweeps what a killed node leaves in the outbox.
    const home = await startApp(t, { ROLES: 'api,rt,worker' }, services)
    const shaken = { ...services, REDIS_URL: redis.url, DATABASE_URL: postgres.url }
    const nodes = await Promise.all([startNode(t, shaken), startNode(t, shaken)])
    const [dana, luis] = [await home.signIn('Torres'), await home.signIn('Herrera')]
    const chatId = await openChat(dana, luis)
    const urlOf = (index: number) => () => nodes[index]?.url ?? home.url
    const clients = await Promise.all([
      openChatClient(t, { chatId, cookie: dana.cookie, url: urlOf(0) }),
      openChatClient(t, { chatId, cookie: luis.cookie, url: urlOf(1) }),
      openChatClient(t, { chatId, cookie: luis.cookie, url: () => home.url }),
    ])
    const [danaTab, luisTab] = clients as [ChatClient, ChatClient, ChatClient]

    const acknowledged: string[] = []
    let failures = 0
    const onFailure = () => {
      failures += 1
      postgres.heal()
    }
    const say = async (client: ChatClient, content: string) => {
      await client.send(content, onFailure)
      acknowledged.push(content)
    }
    const faults: Record<number, () => void | Promise<void>> = {
      10: () => redis.cut(),
      16: () => redis.heal(),
      22: () => postgres.cut(),
      30: async () => {
        await nodes[0]?.kill()
        nodes[0] = await startNode(t, shaken)
      },
      38: () => redis.blackHole(),
      42: () => redis.heal(),
      46: async () => {
        await nodes[1]?.kill()
        nodes[1] = await startNode(t, shaken)
      },
    }
    const rounds = 56
    for (let n = 0; n < rounds; n += 1) {
      const fault = faults[n]?.()
      await Promise.all([fault, say(danaTab, `Dana ${n}`), say(luisTab, `Luis ${n}`)])
    }
    t.ok(failures > 0, 'the faults were felt')
    await converged(clients, 2 * rounds)
    t.same([...danaTab.contents()].toSorted(), acknowledged.toSorted(), 'lost 0, doubled 0')
    for (const client of clients) t.same(client.contents(), danaTab.contents(), 'the same order everywhere')
    const ofDana = danaTab.contents().filter((content) => content.startsWith('Dana'))
    t.same(
      ofDana,
      Array.from({ length: rounds }, (_, n) => `Dana ${n}`),
      'a sender’s own order is kept',
    )
  },
)

t.test('a client that is dropped again and again misses nothing, where plain Socket.IO does', async (t) => {
  const app = await startApp(t)
  const [dana, luis] = [await app.signIn('Torres'), await app.signIn('Herrera')]
  const chatId = await openChat(dana, luis)
  const [sender, reader] = [
    await openChatClient(t, { chatId, cookie: dana.cookie, url: () => app.url }),
    await openChatClient(t, { chatId, cookie: luis.cookie, url: () => app.url }),
  ]
  const server = createServer()
  const plain = new Server(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => plain.close())
  const control = io(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { transports: ['websocket'] })
  t.teardown(() => control.disconnect())
  await once(control as never, 'connect')
  let heard = 0
  control.on('message', () => void (heard += 1))

  const rounds = 6
  const perRound = 10
  for (let round = 0; round < rounds; round += 1) {
    const isAway = round % 2 === 1
    if (isAway) {
      await reader.drop()
      control.disconnect()
    }
    for (let n = 0; n < perRound; n += 1) {
      await sender.send(`Message ${round * perRound + n}`)
      plain.emit('message', n)
    }
    if (isAway) {
      await reader.back()
      control.connect()
      await until('the control to be back', () => control.connected)
    }
  }
  const total = rounds * perRound
  await converged([reader], total)
  t.same(
    reader.contents(),
    Array.from({ length: total }, (_, n) => `Message ${n}`),
  )
  const end = once(control as never, 'end')
  plain.emit('end')
  await end
  t.ok(heard < total, `plain Socket.IO heard ${heard} of ${total}`)
})

t.test('a message whose process died between commit and publication is published by the sweeper, once', async (t) => {
  const app = await startApp(t)
  const [dana, luis] = [await app.signIn('Torres'), await app.signIn('Herrera')]
  const chatId = await openChat(dana, luis)
  const live = await luis.live()
  const lost = {
    chatId,
    senderId: dana.id,
    clientId: randomUUID(),
    content: 'Stored by a process that is gone',
    attachmentUrl: null,
    attachmentName: null,
  }
  const [outcome] = await insertMessages(app.server.ctx.db, [lost])
  const stored = outcome !== undefined && 'event' in outcome ? outcome.event.message : undefined
  // Redis loses all it had of this system (other test files live beside it).
  const { commands } = app.server.ctx.redis
  const keys = await commands.keys(`${app.services.REDIS_PREFIX}*`)
  if (keys.length > 0) await commands.del(...keys)
  const event = await live.nextEvent('chat.message')
  t.match(event, { chatId, rev: 1, seq: 1, message: { id: stored?.id, content: 'Stored by a process that is gone' } })
  t.equal(event.message.createdAt, stored?.createdAt, 'the outbox tells the same moment')
  await until('the outbox to be empty', async () => {
    const left = await app.server.ctx.db.selectFrom('outbox').select('id').where('kind', '=', 'event').execute()
    return left.length === 0
  })
  t.equal((await live.heardAfterRoundTrip('chat.message')).length, 1)
})

t.test('a flood and malformed events end their own connection and nobody else’s', async (t) => {
  const app = await startApp(t)
  const [dana, luis] = [await app.signIn('Torres'), await app.signIn('Herrera')]
  const chatId = await openChat(dana, luis)
  const [danaTab, luisTab] = [await dana.live(), await luis.live()]
  const ended = once(danaTab.socket as never, 'disconnect')
  for (let n = 0; n < 12; n += 1) danaTab.socket.emit('typing', { chatId: 'x'.repeat(3_000) } as never, () => undefined)
  t.same(await ended.then(([reason]) => reason), 'io server disconnect')
  await luis.post('/api/messages', { chatId, content: 'Still here' })
  t.match(await luisTab.nextEvent('chat.message'), { message: { content: 'Still here' } })
})
