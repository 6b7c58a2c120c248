import { randomUUID } from 'node:crypto'
import { Redis } from 'ioredis'
import t from 'tap'
import type { ErrorBody } from '#shared/errors.ts'
import { type Answer, startApp } from '#tests/support/app.ts'
import { aBidder, publishAuction } from '#tests/support/bidding.ts'
import { aVehicle, publish } from '#tests/support/factories.ts'
import { proxyTo } from '#tests/support/proxy.ts'
import { untilTaken } from '#tests/support/wait.ts'

const app = await startApp(t, { RATE_LIMITS: 'on', TRUST_PROXY: 'on' })
const from = (address: string) => ({ 'x-forwarded-for': address })

// The server's own connection times out after 250 ms.
const redis = new Redis(app.services.REDIS_URL)
t.teardown(() => redis.disconnect())

/** Extends current limit windows to an hour, because a busy machine may need more than a minute. */
async function holdWindows(): Promise<void> {
  for (const key of await redis.keys(`${app.services.REDIS_PREFIX}:limit:*`)) await redis.expire(key, 3_600)
}

/** Sends calls sequentially: parallel ones may be counted separately while Redis is slow. */
async function inTurn<T extends { status: number }>(count: number, ask: (n: number) => Promise<T>): Promise<T[]> {
  const answers: T[] = []
  while (answers.length < count) {
    const n = answers.length
    answers.push(await untilTaken(() => ask(n)))
    if (n === 0) await holdWindows()
  }
  return answers
}

/** Returns the rate limit headers of a response. */
const allowanceOf = ({ headers }: Answer) =>
  Object.fromEntries(['limit', 'remaining', 'reset'].map((name) => [name, headers.get(`ratelimit-${name}`)]))

t.test('counts calls by address, and by subscriber network for IPv6', async (t) => {
  const [max, more] = [60, 5]
  const heard = async (claim: (call: number) => string) => {
    const calls = await inTurn(max + more, (n) => app.visitor.get('/api/activity-ticker', undefined, from(claim(n))))
    return calls.filter(({ status }) => status === 200).length
  }
  t.equal(await heard((n) => `198.51.100.${n}, 203.0.113.9`), max, 'what is forged counts nothing')
  t.equal(await heard((n) => `2001:db8:1:1:${n}::1`), max, 'one line is one address')
  t.equal(await heard((n) => `2001:db8:1:${n + 2}::1`), max + more, 'another line is another')
  t.equal(await heard((n) => `::ffff:192.0.2.${n}`), max + more, 'an IPv4 address is no IPv6')
})

t.test('limits e-mail changes to twenty per hour and address, whatever clients claim', async (t) => {
  const askers = await Promise.all(Array.from({ length: 6 }, (_, n) => app.signIn(`Asker ${n}`)))
  const calls = Array.from({ length: 21 }, (_, n) => n)
  const statuses: number[] = []
  for (const n of calls) {
    // Each stays below the limit per account.
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
  const statuses = async (count: number) =>
    (await inTurn(count, () => seller.post('/api/demand', wrong))).map(({ status }) => status).toSorted()
  const many = (status: number, count: number) => Array.from({ length: count }, () => status)
  t.same(await statuses(61), [...many(400, 60), 429])
  const nextHour = async () =>
    void (await redis.del(await redis.keys(`${app.services.REDIS_PREFIX}:limit:demand-hour:*`)))
  for (let hour = 1; hour < 3; hour++) {
    await nextHour()
    t.same(await statuses(60), many(400, 60))
  }
  await nextHour()
  t.same(await statuses(21), [...many(400, 20), 429])
})

t.test('limits external fetches for edits and comments to sixty per hour', async (t) => {
  const seller = await app.signIn('Seller Motors')
  const id = await publish(seller)
  const link = 'ftp://photos.example/1.jpg'
  const edits = await inTurn(60, () => seller.patch(`/api/inventory/${id}`, { photoUrls: [link] }))
  t.ok(edits.every(({ status }) => status === 400))
  t.equal((await seller.patch(`/api/inventory/${id}`, { vehicles: [{ ...aVehicle, photos: [link] }] })).status, 429)
  const path = `/api/inventory/${id}/comments`
  t.equal((await seller.post(path, { content: 'Look', attachmentUrl: link })).status, 429)
  t.equal((await seller.post(path, { content: 'Look' })).status, 201)
  t.equal((await seller.patch(`/api/inventory/${id}`, { photoUrls: [] })).status, 200, 'other calls go on')
})

t.test('limits relisting a post to thirty per hour and its changes to 120', async (t) => {
  const seller = await app.signIn('Seller Motors')
  const postId = await publish(seller)
  const change = () => seller.patch(`/api/inventory/${postId}`, { status: 'sold' })
  const offerAgain = async () => {
    await change()
    return (await seller.post(`/api/inventory/${postId}/relist`)).status
  }
  for (let times = 1; times < 30; times += 1) t.equal(await offerAgain(), 200)
  t.equal(await offerAgain(), 429)
  const changes = await inTurn(120 - 30 + 1, change)
  t.equal(changes.filter(({ status }) => status === 429).length, 1)
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
  t.equal((await lower(postId, 16_000)).status, 409, 'what is refused counts as well')
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
  const answers = await inTurn(max + 10, (n) => open(`198.51.100.${n % 250}, 2001:db8:2::${n.toString(16)}`))
  t.equal(answers.filter(({ status }) => status === 200).length, max)
  t.equal(answers.filter(({ status }) => status === 403).length, 10)
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
    const answers = await inTurn(max, () => dealer.get<ErrorBody>(path))
    t.equal(answers.filter(({ status }) => status === 200).length, max - 1)
    const refused = answers.find(({ status }) => status === 429)
    if (refused === undefined) throw new Error('nothing was refused')
    t.match(refused.body, { error: { code: 'rate_limited', message: /Wait \d+ s/ } })
    const { limit, remaining, reset } = allowanceOf(refused)
    t.same([limit, remaining], [`${max}`, '0'])
    t.equal(refused.headers.get('retry-after'), reset)
    t.match(await other.get(path), { status: 200 }, 'others are not affected')
  }
  t.match(await dealer.get('/api/inventory'), { status: 200 }, 'the feed goes on')
  t.match(allowanceOf(await dealer.get('/api/auth/me')), { limit: null }, 'what is not counted says nothing')
})

t.test("continues from Redis' last count while Redis is slow", async (t) => {
  const line = await proxyTo(t, app.services.REDIS_URL)
  const node = await startApp(t, { RATE_LIMITS: 'on' }, { ...app.services, REDIS_URL: line.url })
  const dealer = await node.signIn('Late Motors')
  const [max, path] = [120, '/api/dealers?search=late']
  await inTurn(max - 2, () => dealer.get(path))
  line.hold()
  const statuses = (await inTurn(4, () => dealer.get(path))).map(({ status }) => status)
  t.same(statuses, [200, 200, 429, 429])
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
