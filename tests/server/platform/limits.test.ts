import { randomUUID } from 'node:crypto'
import { Redis } from 'ioredis'
import t from 'tap'
import type { ErrorBody } from '#shared/errors.ts'
import { type Answer, startApp } from '#tests/support/app.ts'
import { aBidder, publishAuction } from '#tests/support/bidding.ts'
import { aVehicle, publish } from '#tests/support/factories.ts'
import { addCalls } from '#tests/support/limits.ts'
import { proxyTo } from '#tests/support/proxy.ts'
import { untilTaken } from '#tests/support/wait.ts'

const app = await startApp(t, { RATE_LIMITS: 'on', TRUST_PROXY: 'on' })
const from = (address: string) => ({ 'x-forwarded-for': address })

// Use a separate connection, because commands on the server's own connection fail at once while it reconnects.
const redis = new Redis(app.services.REDIS_URL)
t.teardown(() => redis.disconnect())

/** Sends calls sequentially, because parallel calls may be counted separately while Redis is slow. */
async function inTurn<T extends { status: number }>(count: number, ask: (n: number) => Promise<T>): Promise<T[]> {
  const answers: T[] = []
  while (answers.length < count) {
    const n = answers.length
    answers.push(await untilTaken(() => ask(n)))
  }
  return answers
}

const statusesOf = (answers: { status: number }[]) => answers.map(({ status }) => status)

const allowanceOf = ({ headers }: Answer) =>
  Object.fromEntries(['limit', 'remaining', 'reset'].map((name) => [name, headers.get(`ratelimit-${name}`)]))

t.test('counts calls by address, and by subscriber network for IPv6', async (t) => {
  const max = 60
  const heard = async (claim: (call: number) => string) => {
    const ask = (n: number) => app.visitor.get('/api/activity-ticker', undefined, from(claim(n)))
    const first = await inTurn(3, ask)
    await addCalls(app, 'ticker', max - 4)
    return statusesOf([...first, ...(await inTurn(3, (n) => ask(n + 3)))])
  }
  const [limited, free] = [
    [200, 200, 200, 200, 429, 429],
    [200, 200, 200, 200, 200, 200],
  ]
  t.same(await heard((n) => `198.51.100.${n}, 203.0.113.9`), limited, 'what is forged counts nothing')
  t.same(await heard((n) => `2001:db8:1:1:${n}::1`), limited, 'one line is one address')
  t.same(await heard((n) => `2001:db8:1:${n + 2}::1`), free, 'another line is another')
  t.same(await heard((n) => `::ffff:192.0.2.${n}`), free, 'an IPv4 address is no IPv6')
})

t.test('limits email changes to twenty per hour and address, whatever clients claim', async (t) => {
  const askers = await Promise.all(Array.from({ length: 6 }, (_, n) => app.signIn(`Asker ${n}`)))
  const calls = Array.from({ length: 21 }, (_, n) => n)
  const statuses: number[] = []
  for (const n of calls) {
    // Use several accounts, so that each stays below the limit per account.
    const { status } = await askers[n % askers.length]!.post(
      '/api/profile/email',
      { email: `new-${n}@asker.example` },
      from(`nobody ${n}`),
    )
    statuses.push(status)
  }
  t.same(statuses, [...Array.from({ length: 20 }, () => 204), 429])
})

t.test('limits calls with external costs to sixty per hour and two hundred per day, whatever the answer', async (t) => {
  const seller = await app.signIn('Seller Motors')
  const wrong = { vin: '1FTFW1E53MFA48213', year: 2021, make: 'Ford', model: 'F-150', trim: '', mileage: 1, zip: '' }
  const ask = () => seller.post('/api/demand', wrong)
  /** Sends the first call, counts the rest of the first `calls` without sending them, and then sends `more` calls. */
  const after = async (calls: number, more: number) => {
    const first = await inTurn(1, ask)
    await addCalls(app, seller.id, calls - 1)
    return statusesOf([...first, ...(await inTurn(more, ask))])
  }
  const nextHour = async () =>
    void (await redis.del(await redis.keys(`${app.services.REDIS_PREFIX}:limit:demand-hour:*`)))
  t.same(await after(59, 2), [400, 400, 429])
  for (let hour = 1; hour < 3; hour++) {
    await nextHour()
    t.same(await after(59, 1), [400, 400])
  }
  await nextHour()
  t.same(await after(19, 2), [400, 400, 429])
})

t.test('limits external fetches for edits and comments to sixty per hour', async (t) => {
  const seller = await app.signIn('Seller Motors')
  const id = await publish(seller)
  const link = 'ftp://photos.example/1.jpg'
  const edit = () => seller.patch(`/api/inventory/${id}`, { photoUrls: [link] })
  t.equal((await edit()).status, 400)
  await addCalls(app, `links*${seller.id}`, 58)
  t.equal((await edit()).status, 400, 'the sixtieth')
  t.equal((await seller.patch(`/api/inventory/${id}`, { vehicles: [{ ...aVehicle, photos: [link] }] })).status, 429)
  const path = `/api/inventory/${id}/comments`
  t.equal((await seller.post(path, { content: 'Look', attachmentUrl: link })).status, 429)
  t.equal((await seller.post(path, { content: 'Look' })).status, 201)
  t.equal((await seller.patch(`/api/inventory/${id}`, { photoUrls: [] })).status, 200, 'other calls still work')
})

t.test('limits relisting a post to thirty per hour and its changes to 120', async (t) => {
  const seller = await app.signIn('Seller Motors')
  const postId = await publish(seller)
  const change = () => seller.patch(`/api/inventory/${postId}`, { status: 'sold' })
  const offerAgain = async () => {
    await change()
    return (await seller.post(`/api/inventory/${postId}/relist`)).status
  }
  t.equal(await offerAgain(), 200)
  // The post itself and the first relisting already count as two of thirty.
  await addCalls(app, `posts:${seller.id}`, 27)
  t.equal(await offerAgain(), 200)
  t.equal(await offerAgain(), 429)
  await addCalls(app, `post-edits:${seller.id}`, 120 - 3 - 1)
  t.same(statusesOf(await inTurn(2, change)), [200, 429])
})

t.test('limits lowering a reserve to ten per hour and seller, not counting repeats', async (t) => {
  const seller = await aBidder(app, 'Seller Motors')
  const [postId, other] = [
    await publishAuction(seller, { reserveAmount: 15_000 }),
    await publishAuction(seller, { reserveAmount: 15_000 }),
  ]
  const lower = (id: string, amount: number, key: string = randomUUID()) =>
    seller.post(`/api/inventory/${id}/auction/reserve`, { amount }, { 'idempotency-key': key })
  const first = randomUUID()
  t.equal((await lower(postId, 14_900, first)).status, 200)
  t.equal((await lower(postId, 16_000)).status, 409, 'refused calls count as well')
  for (let times = 2; times < 10; times += 1) t.equal((await lower(postId, 15_000 - times * 100)).status, 200)
  const refused = await lower(postId, 13_000)
  t.match(refused, { status: 429, body: { error: { code: 'rate_limited' } } })
  t.ok(Number(refused.headers.get('retry-after')) > 0, 'and says for how long')
  t.match(await lower(postId, 14_900, first), { status: 200, body: { seller: { reserveAmount: 14_100 } } })
  t.equal((await lower(other, 14_000)).status, 200, 'each auction has its own')
})

t.test('limits socket connections in the same way', async (t) => {
  const max = 300
  const open = async (address: string) => {
    const { status } = await fetch(`${app.url}/socket.io/?EIO=4&transport=polling`, { headers: from(address) })
    return { status }
  }
  const openNext = (n: number) => open(`198.51.100.${n}, 2001:db8:2::${n.toString(16)}`)
  t.equal((await openNext(1)).status, 200)
  await addCalls(app, 'socket-handshake', max - 2)
  t.same(statusesOf(await inTurn(3, (n) => openNext(n + 2))), [200, 403, 403])
  t.equal((await open('2001:db8:3::1')).status, 200)
})

t.test('throttles excessive reads and sends rate limit headers', async (t) => {
  const [dealer, other] = [await app.signIn(), await app.signIn('Herrera')]
  const max = 120
  t.match(allowanceOf(await dealer.get('/api/search?q=truck')), { limit: `${max}`, remaining: `${max - 1}` })
  for (const path of [
    '/api/dealers?search=a',
    '/api/inventory?search=a',
    '/api/docs/json',
    '/api/chats/search?q=truck',
  ]) {
    const first = allowanceOf(await dealer.get(path))
    t.match(first, { limit: `${max}`, remaining: `${max - 1}` }, path)
    t.ok(Number(first['reset']) > 0 && Number(first['reset']) <= 60, 'a minute')
    await addCalls(app, dealer.id, max - 2)
    const [last, refused] = await inTurn(2, () => dealer.get<ErrorBody>(path))
    if (last?.status !== 200 || refused?.status !== 429) throw new Error(`${path}: ${last?.status}, ${refused?.status}`)
    t.match(refused.body, { error: { code: 'rate_limited', message: /Wait \d+ s/ } })
    const { limit, remaining, reset } = allowanceOf(refused)
    t.same([limit, remaining], [`${max}`, '0'])
    t.equal(refused.headers.get('retry-after'), reset)
    t.match(await other.get(path), { status: 200 }, 'others are not affected')
  }
  t.match(await dealer.get('/api/inventory'), { status: 200 }, 'the feed still works')
  t.match(allowanceOf(await dealer.get('/api/auth/me')), { limit: null }, 'uncounted calls have no limit headers')
})

t.test("continues from Redis' last count while Redis is slow", async (t) => {
  const line = await proxyTo(t, app.services.REDIS_URL)
  const node = await startApp(t, { RATE_LIMITS: 'on' }, { ...app.services, REDIS_URL: line.url })
  const dealer = await node.signIn('Late Motors')
  const [max, path] = [120, '/api/dealers?search=late']
  await dealer.get(path)
  await addCalls(app, dealer.id, max - 4)
  await dealer.get(path)
  line.hold()
  t.same(statusesOf(await inTurn(4, () => dealer.get(path))), [200, 200, 429, 429])
  line.heal()
})

t.test('sends the tighter of two limits, even after the body was read', async (t) => {
  const attempt = await app.visitor.post('/api/auth/login', { email: 'a@dealer.example', password: 'wrong for sure' })
  t.match(allowanceOf(attempt), { limit: '5', remaining: '4' })
})

t.test('counts codes of an account however often its password is entered', async (t) => {
  const email = 'guessed@dealer.example'
  const password = 'seven quiet lorries at dawn'
  await app.visitor.post('/api/auth/signup', { email, password }, from('192.0.2.1'))
  const { db } = app.server.ctx
  await db.updateTable('dealers').set({ secondFactorAt: new Date() }).where('email', '=', email).execute()
  const guesses: number[] = []
  for (const n of [0, 1, 2]) {
    const asked = await app.visitor.post('/api/auth/login', { email, password }, from(`192.0.2.${n + 2}`))
    const cookie = asked.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    const guess = () =>
      app.visitor.post('/api/auth/second-factor', { code: '000000' }, { ...from(`192.0.2.${n + 2}`), cookie })
    guesses.push((await guess()).status, (await guess()).status)
  }
  t.same(guesses.toSorted(), [401, 401, 401, 401, 401, 429])
})
