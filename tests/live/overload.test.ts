import { subscribe } from 'node:diagnostics_channel'
import { connect, type Server } from 'node:net'
import { io } from 'socket.io-client'
import t from 'tap'
import type { ErrorBody } from '#shared/errors.ts'
import { startApp, type Answer } from '#tests/support/app.ts'
import { publish } from '#tests/support/factories.ts'
import { type NodeProcess, startNode } from '#tests/support/node-process.ts'
import { until } from '#tests/support/wait.ts'

/** Asked by a signal, the process is late from then on: each turn of its event loop begins with as long as work takes. */
const lateWhenAsked = (ms: number) => `
  const nothing = new Int32Array(new SharedArrayBuffer(4))
  process.on('SIGHUP', () => {
    const work = () => {
      Atomics.wait(nothing, 0, 0, ${ms})
      setTimeout(work, 1)
    }
    work()
  })`

/** So many ask at once of a late process. It lets one connection in a turn, so theirs are open before. */
const callers = 64

/**
 * Resolves once the process has had some such turns, and so has measured how late it is. What it reads as it starts, it
 * has read before: a late process takes long for it, and is not ready until then.
 */
async function makeLate({ pid, url }: NodeProcess): Promise<void> {
  await until('it to be ready', async () => (await fetch(`${url}/health/ready`)).ok)
  await Promise.all(Array.from({ length: callers }, () => fetch(`${url}/health/live`)))
  process.kill(pid, 'SIGHUP')
  for (let turn = 0; turn < 6; turn += 1) await fetch(`${url}/health/live`)
}

const app = await startApp(t)

t.test('a process that is late says so, and never that its database cannot be reached', async (t) => {
  const node = await startNode(t, app.services, { DATABASE_CONNECT_MS: '1000' }, lateWhenAsked(350))
  const dealer = app.on(node, await app.signIn())
  await makeLate(node)
  const answers: Answer<ErrorBody>[] = await Promise.all(
    Array.from({ length: 40 }, (_none, n) => dealer.get<ErrorBody>(`/api/inventory?limit=${7 + n}`)),
  )
  const refused = answers.filter(({ status }) => status !== 200)
  t.ok(refused.length > 0, 'it cannot do all of this')
  for (const { status, headers, body } of refused) {
    t.equal(status, 503)
    t.ok(Number(headers.get('retry-after')) > 0)
    t.match(body.error, { code: 'unavailable', message: /more to do than/ })
  }
  t.equal((await dealer.get('/health/live')).status, 200)
  t.match(await dealer.get('/health/ready'), { status: 200, body: { database: true } })
})

t.test('a late process refuses reads first, and takes messages and other writes', async (t) => {
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
    t.match(answer, { status: 503, body: { error: { code: 'unavailable', message: /more to do than/ } } })
    t.ok(Number(answer.headers.get('retry-after')) > 0)
  }
  t.equal((await comment).status, 201)
  t.equal((await message).status, 201)
  t.equal((await there.get('/health/live')).status, 200)
})

t.test('a crowd that comes to a late process waits its turn, and nobody is refused', async (t) => {
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

t.test(
  'of a crowd that comes in one moment, everybody is let in before those who came first are answered',
  async (t) => {
    const callers = 64
    // Less than those who are in wait for the others (server/platform/overload.ts): a crowd that a busy machine let in more slowly is none.
    const momentMs = 250
    const port = Number(new URL(app.url).port)
    const came: number[] = []
    let answered = 0
    let answeredWhenAllWereIn = callers
    subscribe('net.server.socket', (message) => {
      const { socket } = message as { socket: { localPort?: number } }
      if (socket.localPort !== port) return
      came.push(performance.now())
      if (came.length === callers) answeredWhenAllWereIn = answered
    })
    subscribe('http.server.response.finish', (message) => {
      const { server } = message as { server: Server }
      const address = server.address()
      if (typeof address === 'object' && address?.port === port) answered += 1
    })
    const ask = () =>
      new Promise<string>((resolve, reject) => {
        let text = ''
        const socket = connect(port, '127.0.0.1', () =>
          socket.write('GET /api/auth/status HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n'),
        )
        socket.setEncoding('utf8').on('data', (part) => (text += part))
        socket.once('error', reject).once('close', () => resolve(text))
      })
    await until('a crowd in one moment', async () => {
      came.length = 0
      answered = 0
      const answers = await Promise.all(Array.from({ length: callers }, ask))
      t.equal(answers.filter((text) => text.startsWith('HTTP/1.1 200')).length, callers)
      return (came.at(-1) ?? 0) - (came[0] ?? 0) < momentMs
    })
    t.ok(answeredWhenAllWereIn < 24, `${answeredWhenAllWereIn} were answered before the last was in`)
  },
)
