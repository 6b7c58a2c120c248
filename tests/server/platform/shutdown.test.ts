import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import t from 'tap'
import { photoMaxBytes } from '#shared/limits.ts'
import { startApp } from '#tests/support/app.ts'
import { allowUpload, putFile } from '#tests/support/uploads.ts'

t.test('stops despite an idle connection', async (t) => {
  const app = await startApp(t)
  const ahead = connect(app.server.port, '127.0.0.1')
  t.teardown(() => ahead.destroy())
  await once(ahead, 'connect')
  const ended = once(ahead, 'close')
  // Connections are accepted in order, so this response means that the other connection is open, too.
  t.equal((await app.visitor.get('/health/live')).status, 200)
  await app.server.stop('a new release')
  t.ok(await ended, 'it is closed')
})

t.test('completes a response in progress, then closes its connection', async (t) => {
  const app = await startApp(t)
  const dealer = await app.signIn()
  const document = Buffer.alloc(photoMaxBytes, '%PDF-')
  const { uploadURL, objectId } = await allowUpload(dealer, { kind: 'attachment' })
  t.equal((await putFile(uploadURL, document, 'application/pdf')).status, 200)
  const agent = new Agent({ keepAlive: true })
  t.teardown(() => agent.destroy())
  const [answer] = (await once(
    get(`${app.url}/api/objects/${objectId}`, { agent, headers: { cookie: dealer.cookie } }),
    'response',
  )) as [IncomingMessage]
  t.equal(answer.headers.connection, 'keep-alive', 'it began before the stop')
  const stopped = app.server.stop('a new release')
  const chunks: Buffer[] = []
  for await (const chunk of answer as AsyncIterable<Buffer>) chunks.push(chunk)
  t.ok(document.equals(Buffer.concat(chunks)), 'whole')
  await stopped
  await t.rejects(dealer.get('/api/auth/me'), 'nobody is let in any more')
})

t.test('refuses a worker that reconnects to Redis after the end', async (t) => {
  const app = await startApp(t)
  const { redis } = app.server.ctx
  const connection = redis.forWorker()
  t.teardown(() => connection.disconnect())
  await once(connection, 'ready')
  const ended = once(connection, 'end')
  await app.server.stop('a new release')
  await ended
  // BullMQ calls `connect` after it has waited for a connection that was closed.
  await t.rejects(connection.connect(), { message: 'Connection is closed.' })
  t.equal(connection.status, 'end', 'and does not retry by itself')
})

t.test('stops all recurring work of a stopped server', async (t) => {
  const begun = t.capture(globalThis, 'setInterval', globalThis.setInterval)
  const ended = t.capture(globalThis, 'clearInterval', globalThis.clearInterval)
  const app = await startApp(t)
  await app.server.stop('the test is over')
  const cleared = new Set(ended().map(({ args: [timer] }) => timer))
  const left = begun().flatMap((call) => ('returned' in call && !cleared.has(call.returned) ? [call.at] : []))
  t.same(left, [])
})
