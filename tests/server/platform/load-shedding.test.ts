import { once } from 'node:events'
import { createServer, IncomingMessage, type Server, ServerResponse } from 'node:http'
import { type AddressInfo, connect, Socket } from 'node:net'
import fastify from 'fastify'
import fc from 'fast-check'
import t from 'tap'
import { ProcessBusy } from '#server/platform/database/db.ts'
import { registerErrorHandling } from '#server/platform/http/http-errors.ts'
import { Admission, refuseOverload, startRefusalCount } from '#server/platform/process/load-shedding.ts'
import { createMetrics } from '#server/platform/process/metrics.ts'
import { propertyRuns } from '#tests/support/properties.ts'
import { until } from '#tests/support/wait.ts'

/** Registers each request with `admission` and responds after the number of event loop turns in `x-turns`. */
async function startCounted(admission: Admission): Promise<{ server: Server; port: number }> {
  const server = createServer((request, response) => {
    if (!admission.enter(response, request.socket)) return
    const turns = Number(request.headers['x-turns'])
    const answer = (left: number) => (left > 0 ? void setImmediate(answer, left - 1) : void response.end('ok'))
    answer(turns)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { server, port: (server.address() as AddressInfo).port }
}

/** The event loop turns that each request takes, and the number of turns after which the client closes the connection. */
interface Visit {
  requests: number[]
  cutAfter: number
  reset: boolean
}

const visits = fc.array(
  fc.record({
    requests: fc.array(fc.nat(6), { minLength: 1, maxLength: 4 }),
    cutAfter: fc.nat(12),
    reset: fc.boolean(),
  }),
  { minLength: 10, maxLength: 10 },
)

function visit(port: number, { requests, cutAfter, reset }: Visit): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => undefined).once('close', () => resolve())
    socket.resume()
    socket.once('connect', () => {
      // Use pipelining: send all requests before the first response.
      for (const turns of requests) socket.write(`GET / HTTP/1.1\r\nhost: a\r\nx-turns: ${turns}\r\n\r\n`)
      const cut = (left: number) => {
        if (left > 0) setImmediate(cut, left - 1)
        else if (reset) socket.resetAndDestroy()
        else socket.destroy()
      }
      cut(cutAfter)
    })
  })
}

t.test('counts back to zero however connections are cut', async (t) => {
  const admission = new Admission()
  const { server, port } = await startCounted(admission)
  t.teardown(() => server.close())
  await fc.assert(
    fc.asyncProperty(visits, async (all) => {
      await Promise.all(all.map((one) => visit(port, one)))
      await until('every request to be forgotten', () => admission.underWay === 0)
    }),
    // Do not shrink failures, because state accumulates over the runs.
    { endOnFailure: true, numRuns: propertyRuns },
  )
  t.equal(admission.underWay, 0)
})

function fill(admission: Admission, count: number): void {
  for (let n = 0; n < count; n += 1)
    admission.enter(new ServerResponse(new IncomingMessage(new Socket())), new Socket())
}

t.test('accepts up to 32 concurrent requests on a late event loop', async (t) => {
  const admission = new Admission(() => 10_000)
  fill(admission, 31)
  t.equal(admission.refuses('read'), false)
  fill(admission, 1)
  t.equal(admission.refuses('read'), true)
  t.equal(admission.refuses('write'), false)
})

t.test('refuses reads before writes, and messages and bids last', async (t) => {
  const admission = new Admission()
  const refusedFrom = (kind: 'read' | 'write' | 'urgent') => {
    while (!admission.refuses(kind)) fill(admission, 1)
    return admission.underWay
  }
  const [read, write, urgent] = [refusedFrom('read'), refusedFrom('write'), refusedFrom('urgent')]
  t.ok(read < write && write < urgent, `${read}, ${write}, ${urgent}`)
})

t.test('accepts more at once after faster responses', async (t) => {
  const admission = new Admission()
  const responses = Array.from({ length: 1_000 }, () => new ServerResponse(new IncomingMessage(new Socket())))
  for (const response of responses) admission.enter(response, new Socket())
  t.equal(admission.refuses('read'), true)
  for (const response of responses) response.emit('close')
  admission.sample(500)
  fill(admission, 400)
  t.equal(admission.refuses('read'), false)
})

t.test('counts a response once, however it ends', async (t) => {
  const admission = new Admission()
  const socket = new Socket()
  const response = new ServerResponse(new IncomingMessage(socket))
  admission.enter(response, socket)
  for (const end of ['finish', 'close', 'finish']) response.emit(end)
  socket.emit('close')
  t.equal(admission.underWay, 0)
})

t.test('does not count a request on a closed connection', async (t) => {
  const admission = new Admission()
  const socket = new Socket()
  socket.destroy()
  t.equal(admission.enter(new ServerResponse(new IncomingMessage(socket)), socket), false)
  t.equal(admission.underWay, 0)
})

t.test('closes a process that refuses even messages and bids for five seconds', async (t) => {
  let now = 0
  const admission = new Admission(
    () => 0,
    () => now,
  )
  const responses = Array.from({ length: 2_000 }, () => new ServerResponse(new IncomingMessage(new Socket())))
  for (const response of responses) admission.enter(response, new Socket())
  admission.sample(500)
  t.equal(admission.isClosed, false)
  now = 4_999
  admission.sample(500)
  t.equal(admission.isClosed, false)
  now = 5_000
  t.equal(admission.isClosed, true)
  for (const response of responses) response.emit('close')
  admission.sample(500)
  t.equal(admission.isClosed, false)
})

t.test('counts requests that got no database connection, and logs only their number', async (t) => {
  const lines: string[] = []
  const app = fastify({ logger: { level: 'info', stream: { write: (line) => void lines.push(line) } } })
  t.teardown(() => app.close())
  const [metrics, admission] = [createMetrics(), new Admission()]
  registerErrorHandling(app, startRefusalCount(app, admission, metrics))
  refuseOverload(app, admission)
  for (const method of ['GET', 'POST'])
    app.route({
      method,
      url: '/',
      logLevel: 'warn',
      handler: () => Promise.reject(new ProcessBusy('timeout exceeded when trying to connect')),
    })
  for (const method of ['GET', 'GET', 'POST'] as const)
    t.equal((await app.inject({ method, url: '/' })).statusCode, 503)
  const { values } = await metrics.refusals.get()
  t.same(
    values.filter(({ value }) => value > 0).map(({ labels, value }) => ({ ...labels, value })),
    [
      { kind: 'read', reason: 'no_connection', value: 2 },
      { kind: 'write', reason: 'no_connection', value: 1 },
    ],
  )
  const refusals = await until('the refusals to be logged', () => {
    const found = lines.map((line) => JSON.parse(line)).filter(({ refused }) => refused !== undefined)
    return found.length > 0 ? found : undefined
  })
  t.match(refusals, [{ refused: 3, msg: 'too many requests: some were refused' }])
  fill(admission, 500)
  t.equal((await app.inject({ url: '/' })).statusCode, 503)
  t.equal((await metrics.refusals.get()).values.find(({ labels }) => labels.reason === 'too_many')?.value, 1)
})
