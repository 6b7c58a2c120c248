import { connect } from 'node:net'
import { io } from 'socket.io-client'
import t from 'tap'
import type { ErrorBody } from '#shared/errors.ts'
import { startApp, type Answer } from '#tests/support/app.ts'
import { publish } from '#tests/support/factories.ts'
import { type NodeProcess, startNode } from '#tests/support/node-process.ts'
import { propertyRuns } from '#tests/support/properties.ts'
import { balance } from '#tests/support/proxy.ts'
import { until } from '#tests/support/wait.ts'

/** Returns code that, after a SIGHUP, makes a process block each turn of its event loop for `ms` milliseconds. */
const lateWhenAsked = (ms: number) => `
  const nothing = new Int32Array(new SharedArrayBuffer(4))
  process.on('SIGHUP', () => {
    const work = () => {
      Atomics.wait(nothing, 0, 0, ${ms})
      setTimeout(work, 1)
    }
    work()
  })`

/** Number of connections to open before the process slows down. A slow process accepts only one connection per event loop turn. */
const callers = 64

async function makeLate({ pid, url }: NodeProcess): Promise<void> {
  await until('the process to be ready', async () => (await fetch(`${url}/health/ready`)).ok)
  await Promise.all(Array.from({ length: callers }, () => fetch(`${url}/health/live`)))
  process.kill(pid, 'SIGHUP')
  for (let turn = 0; turn < 6; turn += 1) await fetch(`${url}/health/live`)
}

const token = 'a-token-of-sixteen'
const app = await startApp(t)

t.test('reports an overloaded process as busy instead of its database as unavailable', async (t) => {
  const node = await startNode(t, app.services, { DATABASE_CONNECT_MS: '1000' }, lateWhenAsked(350))
  const dealer = app.on(node, await app.signIn())
  await makeLate(node)
  const answers: Answer<ErrorBody>[] = await Promise.all(
    Array.from({ length: 40 }, (_none, n) => dealer.get<ErrorBody>(`/api/inventory?limit=${7 + n}`)),
  )
  const refused = answers.filter(({ status }) => status !== 200)
  t.ok(refused.length > 0, 'the process refuses some requests')
  for (const { status, headers, body } of refused) {
    t.equal(status, 503)
    t.ok(Number(headers.get('retry-after')) > 0)
    t.match(body.error, { code: 'unavailable', message: /very busy/ })
  }
  t.equal((await dealer.get('/health/live')).status, 200)
  t.match(await dealer.get('/health/ready'), { status: 200, body: { database: true } })
})

t.test('refuses reads first while overloaded, and accepts messages and other writes', async (t) => {
  const node = await startNode(
    t,
    app.services,
    { DATABASE_CONNECT_MS: '20000', DATABASE_POOL: '20' },
    lateWhenAsked(300),
  )
  const [seller, reader] = [await app.signIn('Seller'), await app.signIn('Reader')]
  const [there, here] = [app.on(node, reader), app.on(app, reader)]
  const id = await publish(seller)
  const { body: chat } = await here.post<{ id: string }>('/api/chats', { dealerId: seller.id })
  await makeLate(node)
  const reads = Array.from({ length: 60 }, (_none, n) => there.get<ErrorBody>(`/api/inventory?limit=${7 + n}`))
  const comment = there.post(`/api/inventory/${id}/comments`, { content: 'Still there?' })
  const message = there.post('/api/messages', { chatId: chat.id, content: 'Hello' })
  const refused = (await Promise.all(reads)).filter(({ status }) => status !== 200)
  t.ok(refused.length > 0)
  for (const answer of refused) {
    t.match(answer, { status: 503, body: { error: { code: 'unavailable', message: /very busy/ } } })
    t.ok(Number(answer.headers.get('retry-after')) > 0)
  }
  t.equal((await comment).status, 201)
  t.equal((await message).status, 201)
  t.equal((await there.get('/health/live')).status, 200)
})

t.test('accepts all sockets that connect at once to an overloaded process', async (t) => {
  const node = await startNode(t, app.services, { DATABASE_CONNECT_MS: '20000' }, lateWhenAsked(150))
  const { cookie } = await app.signIn()
  await makeLate(node)
  const come = async () => {
    const socket = io(node.url, {
      transports: ['websocket'],
      extraHeaders: { cookie },
      forceNew: true,
      reconnection: false,
    })
    t.teardown(() => socket.disconnect())
    await new Promise((resolve, reject) => {
      socket.once('hello', resolve)
      socket.once('connect_error', reject)
    })
  }
  await Promise.all(Array.from({ length: 36 }, come))
})

async function resetMany(url: string, count: number): Promise<void> {
  const { port, hostname, host } = new URL(url)
  const head = `POST /api/auth/login HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\n`
  const request = `${head}content-length: 2\r\n\r\n{}`
  const cut = () =>
    new Promise<void>((resolve) => {
      const socket = connect(Number(port), hostname, () => {
        socket.write(request)
        setTimeout(() => socket.resetAndDestroy(), Math.random() * 30)
      })
      socket.on('error', () => undefined).once('close', () => resolve())
    })
  await Promise.all(Array.from({ length: count }, cut))
}

t.test('keeps responding after many clients reset their requests', async (t) => {
  const node = await startNode(t, app.services, { METRICS_TOKEN: token, DATABASE_CONNECT_MS: '20000' })
  const throughProxy = await balance(t, () => node.url)
  const underWay = async () => {
    const answer = await fetch(`${node.url}/metrics`, { headers: { authorization: `Bearer ${token}` } })
    return Number(/^lanewire_requests_under_way (\d+)$/m.exec(await answer.text())?.[1])
  }
  const rounds = Math.ceil(propertyRuns / 100)
  for (const url of [node.url, throughProxy]) {
    for (let round = 0; round < rounds; round += 1) await resetMany(url, 400)
    await until('every reset request to be cleaned up', async () => (await underWay()) === 0)
    const answers = await Promise.all(Array.from({ length: 40 }, () => fetch(`${url}/api/auth/status`)))
    t.same(
      answers.map(({ status }) => status),
      Array.from({ length: 40 }, () => 200),
    )
  }
})
