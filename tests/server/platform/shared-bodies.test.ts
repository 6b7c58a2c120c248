import { request } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import t from 'tap'
import type { Post } from '#shared/schemas/posts.ts'
import { startApp, type Caller } from '#tests/support/app.ts'
import { publish } from '#tests/support/factories.ts'
import { until } from '#tests/support/wait.ts'

const app = await startApp(t)
const dealer = await app.signIn()
const id = await publish(dealer)
for (const title of ['Second', 'Third', 'Fourth']) await publish(dealer, { title })
await until('the summaries, after which nothing changes', async () => {
  const { body } = await dealer.get<Post[]>('/api/inventory')
  return body.every(({ aiSummary }) => aiSummary !== null)
})

const load = (caller: Caller, path: string, headers: Record<string, string>) =>
  new Promise<{ status: number | undefined; headers: Record<string, unknown>; bytes: Buffer }>((resolve, reject) => {
    const outgoing = request(`${app.url}${path}`, { headers: { cookie: caller.cookie, ...headers } }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('end', () =>
        resolve({ status: response.statusCode, headers: response.headers, bytes: Buffer.concat(parts) }),
      )
    })
    outgoing.on('error', reject)
    outgoing.end()
  })

const feed = (headers: Record<string, string> = {}) => load(dealer, '/api/inventory', headers)

t.test("sends the feed in the caller's encoding, each with its own ETag", async (t) => {
  const plain = await feed()
  t.match(plain.headers, { 'content-encoding': undefined, vary: 'Accept-Encoding' })
  const br = await feed({ 'accept-encoding': 'gzip, deflate, br' })
  const gzip = await feed({ 'accept-encoding': 'br;q=0, gzip;q=0.5' })
  t.match(br.headers, { 'content-encoding': 'br', vary: 'Accept-Encoding', 'content-length': String(br.bytes.length) })
  t.match(gzip.headers, { 'content-encoding': 'gzip', 'content-type': 'application/json; charset=utf-8' })
  t.same(brotliDecompressSync(br.bytes), plain.bytes)
  t.same(gunzipSync(gzip.bytes), plain.bytes)
  t.ok(br.bytes.length < plain.bytes.length / 2)
  t.equal(new Set([plain, br, gzip].map(({ headers }) => headers['etag'])).size, 3)
  t.match((await feed({ 'accept-encoding': 'identity, *;q=0' })).headers, { 'content-encoding': undefined })
})

t.test('answers 304 only to callers with the body in that encoding', async (t) => {
  const encoded = { 'accept-encoding': 'br' }
  const tag = String((await feed(encoded)).headers['etag'])
  for (const known of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
    const answer = await feed({ ...encoded, 'if-none-match': known })
    t.match(answer, { status: 304, bytes: Buffer.alloc(0) }, known)
    t.match(answer.headers, { etag: tag, vary: 'Accept-Encoding', 'cache-control': 'private, no-cache' })
  }
  t.equal((await feed({ 'if-none-match': tag })).status, 200, 'different bytes')
  t.equal((await dealer.post(`/api/inventory/${id}/comments`, { content: 'News' })).status, 201)
  t.equal((await feed({ ...encoded, 'if-none-match': tag })).status, 200, 'different content')
})

t.test('never compresses caller-specific responses', async (t) => {
  for (const path of ['/api/auth/me', '/api/dealers', `/api/inventory/${id}`, '/api/heads', '/api/notifications'])
    t.match(
      await load(dealer, path, { 'accept-encoding': 'gzip, br' }),
      { status: 200, headers: { 'content-encoding': undefined } },
      path,
    )
})

t.test('sends content type options with every response and a policy with documents', async (t) => {
  const everywhere = {
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'SAMEORIGIN',
    'referrer-policy': 'strict-origin-when-cross-origin',
  }
  const short = { 'content-security-policy': "base-uri 'none'; frame-ancestors 'none'" }
  for (const path of [
    '/api/inventory',
    '/health/live',
    '/api/none',
    '/socket.io/?EIO=4&transport=polling',
    '/socket.io/?EIO=4&transport=none',
  ])
    t.match((await load(dealer, path, {})).headers, { ...everywhere, ...short }, path)
  const { headers } = await load(dealer, '/api/docs/', {})
  t.match(headers, {
    ...everywhere,
    'content-type': /^text\/html/,
    'content-security-policy': /^default-src 'self';.*base-uri 'none';.*frame-ancestors 'none'/,
  })
})
