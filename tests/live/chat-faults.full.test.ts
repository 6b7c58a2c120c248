import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { Server } from 'socket.io'
import { io } from 'socket.io-client'
import t from 'tap'
import type { Chat, MessagesPage } from '#shared/schemas/messaging.ts'
import { startApp } from '#tests/support/app.ts'
import { openChat } from '#tests/support/chat.ts'
import { type ChatClient, openChatClient } from '#tests/support/chat-client.ts'
import { startNode } from '#tests/support/node-process.ts'
import { forgetRedis, outbox } from '#tests/support/outbox.ts'
import { proxyTo } from '#tests/support/proxy.ts'
import { testServices } from '#tests/support/services.ts'
import { until } from '#tests/support/wait.ts'

const app = await startApp(t)
t.beforeEach(app.startOver)

const converged = (clients: ChatClient[], total: number) =>
  until('every client to have every message', async () => {
    for (const client of clients) if (client.contents().length < total) await client.audit()
    return clients.every((client) => client.contents().length === total)
  })

t.test('keeps acknowledged messages complete and in order while nodes, Redis and PostgreSQL fail', async (t) => {
  const services = await testServices(t)
  const redis = await proxyTo(t, services.REDIS_URL)
  const postgres = await proxyTo(t, services.DATABASE_URL)
  // A node without faults, which creates the dealers and processes the outbox of killed nodes.
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
  t.ok(failures > 0, 'some sends failed during the faults')
  await converged(clients, 2 * rounds)
  t.same([...danaTab.contents()].toSorted(), acknowledged.toSorted(), 'no message is lost or duplicated')
  for (const client of clients) t.same(client.contents(), danaTab.contents(), 'all clients have the same order')
  const ofDana = danaTab.contents().filter((content) => content.startsWith('Dana'))
  t.same(
    ofDana,
    Array.from({ length: rounds }, (_, n) => `Dana ${n}`),
    "each sender's order is kept",
  )
})

t.test('delivers everything to a client that keeps losing its connection, unlike plain Socket.IO', async (t) => {
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
      await until('the plain Socket.IO client to reconnect', () => control.connected)
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
  t.ok(heard < total, `plain Socket.IO received ${heard} of ${total}`)
})

t.test('replies once although a worker dies and Redis loses its data', async (t) => {
  const app = await startApp(t, { ROLES: 'api,rt' })
  const dana = await app.signIn('Torres')
  const live = await dana.live()
  const chats = (await dana.post<Chat[]>(`/api/chats/${dana.id}/generate`)).body
  const worker = await startNode(t, app.services, { ROLES: 'api,rt,worker' })
  for (const { id } of chats) await dana.post('/api/messages', { chatId: id, content: 'Can you send photos?' })
  // One demo dealer has read its message. At this point, the other jobs are running, queued, or not due yet.
  await live.nextEvent('chat.read', ({ dealerId }) => dealerId !== dana.id)
  await worker.kill()
  await forgetRedis(app)
  await sql`update outbox set dispatched_at = dispatched_at - interval '1 minute' where kind = 'job'`.execute(
    app.server.ctx.db,
  )
  await startApp(t, { ROLES: 'worker' }, app.services)
  await until('every job to finish', async () => (await outbox(app, 'job')).length === 0)
  for (const { id, lastSeq } of chats) {
    const { body } = await dana.get<MessagesPage>(`/api/chats/${id}/messages?afterRev=${lastSeq}`)
    t.match(body.messages, [{ senderId: dana.id }, { content: /photos|phone/ }], 'one question, one reply')
    t.equal(body.messages.length, 2)
  }
})
