import { Redis } from 'ioredis'
import t from 'tap'
import { twoNodes } from '#tests/support/redis-outage.ts'
import { until } from '#tests/support/wait.ts'

const busyMs = 500

for (const [fault, said] of [
  ['cut', 'gone'],
  ['blackHole', 'hanging'],
] as const)
  t.test(`closes the sockets of a session that ended while Redis was ${said} for one node`, async (t) => {
    const { redis, shaken, steady } = await twoNodes(t)
    const [dana, luis] = [await steady.signIn('Torres'), await steady.signIn('Herrera')]
    const [out, stays] = [await steady.on(shaken, dana).live(), await steady.on(shaken, luis).live()]
    redis[fault]()
    t.equal((await dana.post('/api/auth/logout')).status, 204)
    await stays.receivedAfterRoundTrip('kick')
    t.ok(out.socket.connected, 'the node does not know yet')
    redis.heal()
    t.match(await out.nextEvent('kick'), { code: 'expired' })
    await until('the socket to close', () => !out.socket.connected)
    t.same(await stays.receivedAfterRoundTrip('kick'), [])
    t.ok(stays.socket.connected)
  })

t.test('closes sockets on other nodes after a session ended on a node without Redis', async (t) => {
  const { redis, shaken, steady } = await twoNodes(t)
  const dana = await steady.signIn('Torres')
  const out = await dana.live()
  redis.cut()
  t.equal((await steady.on(shaken, dana).post('/api/auth/logout')).status, 204)
  redis.heal()
  t.match(await out.nextEvent('kick'), { code: 'expired' })
  await until('the socket to close', () => !out.socket.connected)
})

for (const [fault, said] of [
  ['cut', 'gone'],
  ['blackHole', 'hanging'],
] as const)
  t.test(`tells clients when their node misses other nodes with Redis ${said}, and when it recovers`, async (t) => {
    const { redis, shaken, steady } = await twoNodes(t)
    const dana = await shaken.signIn('Torres')
    const [before, elsewhere] = [await dana.live(), await shaken.on(steady, dana).live()]
    t.match(before.heard[0], { name: 'hello', event: { dealerId: dana.id, degraded: false } })
    redis[fault]()
    await until('a heartbeat', () => before.heard.some(({ name }) => name === 'heartbeat'))
    t.same(await before.nextEvent('heartbeat'), { degraded: true })
    const during = await dana.live()
    t.match(during.heard[0], { name: 'hello', event: { degraded: true } }, 'new connections receive the state as well')
    redis.heal()
    for (const tab of [before, during]) {
      t.same(await tab.nextEvent('heartbeat'), { degraded: false })
      await tab.nextEvent('resync')
    }
    t.same(await elsewhere.receivedAfterRoundTrip('heartbeat'), [], 'clients of other nodes receive nothing')
  })

t.test("publishes everything from a node too busy to read Redis' responses in time", async (t) => {
  const { shaken, steady } = await twoNodes(t)
  const far = await (await steady.signIn('Herrera')).live()
  const listener = new Redis(shaken.services.REDIS_URL)
  t.teardown(() => listener.disconnect())
  let probes = 0
  listener.on('message', (_channel, text: string) => (probes += text.split('"probe"').length - 1))
  await listener.subscribe(`${shaken.services.REDIS_PREFIX}:io`)
  const { publisher } = shaken.server.ctx.redis
  const late: unknown[] = []
  const publish = publisher.publish.bind(publisher)
  publisher.publish = (...args: Parameters<typeof publish>) => {
    const answer = publish(...args)
    answer.catch((error: unknown) => late.push(error))
    return answer
  }
  shaken.server.io.emit('promotions.changed', {})
  await new Promise((resolve) => setImmediate(resolve))
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, busyMs)
  await far.nextEvent('promotions.changed')
  t.match(late, [{ message: 'Command timed out' }])
  const before = probes
  await until('each node to send a heartbeat', () => probes >= before + 2)
  t.same(await far.receivedAfterRoundTrip('resync'), [])
})
