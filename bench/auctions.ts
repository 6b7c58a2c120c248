import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { io } from 'socket.io-client'
import type { BenchEnv, BenchRow } from './bench.ts'
import { openSessions, percentile, rounded, withDatabase } from './measure.ts'

export const name = 'Bids, and an auction’s state to its watchers'

const bidders = 40
const secondsPerRun = 6
const watchersPerRun = [250, 1_000]
const statesPerRun = 40
const stateEveryMs = 120
const connectAtOnce = 25
const retryMs = 300

type Session = Awaited<ReturnType<typeof openSessions>>[number]

/** Open auctions without a reserve, of a dealer who does not bid. */
async function openAuctions(databaseUrl: string, sellerId: string, count: number): Promise<string[]> {
  return withDatabase(databaseUrl, async (client) => {
    const { rows } = await client.query<{ post_id: string }>(
      `with made as (insert into posts (dealer_id, type, title)
         select $1, 'single', 'Live auction ' || n from generate_series(1, $2) n returning id)
       insert into auctions (post_id, seller_id, start_cents, starts_at, ends_at, hard_ends_at)
       select id, $1, 100, now(), now() + interval '1 hour', now() + interval '2 hours' from made returning post_id`,
      [sellerId, count],
    )
    return rows.map((row) => row.post_id)
  })
}

interface Counted {
  taken: number
  refused: number
  times: number[]
}

/** One dealer bids as fast as they are answered; a refusal tells the price of the next try. */
async function bidder(
  url: string,
  { cookie }: Session,
  posts: string[],
  until: number,
  counted: Counted,
): Promise<void> {
  const next = new Map<string, number>()
  for (let turn = 0; performance.now() < until; turn += 1) {
    const postId = posts[(turn * 7 + cookie.length + cookie.charCodeAt(turn % cookie.length)) % posts.length] ?? ''
    const start = performance.now()
    const response = await fetch(`${url}/api/inventory/${postId}/bids`, {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/json', 'idempotency-key': randomUUID() },
      body: JSON.stringify({ amount: next.get(postId) ?? 1 }),
    })
    const body = (await response.json()) as { amount?: number; error?: { details?: { minNext?: number } } }
    counted.times.push(performance.now() - start)
    if (response.status === 201) counted.taken += 1
    else if (response.status === 409) counted.refused += 1
    else throw new Error(`a bid was answered with ${response.status}`)
    next.set(postId, body.error?.details?.minNext ?? (body.amount ?? 0) + 500)
  }
}

async function measureBids(env: BenchEnv, sessions: Session[], auctions: number): Promise<BenchRow> {
  const [seller, ...others] = sessions
  const posts = await openAuctions(env.databaseUrl, seller?.dealerId ?? '', auctions)
  const counted: Counted = { taken: 0, refused: 0, times: [] }
  const until = performance.now() + secondsPerRun * 1_000
  await Promise.all(
    others
      .slice(0, bidders)
      .map((session, index) => bidder(env.nodes[index % env.nodes.length] ?? '', session, posts, until, counted)),
  )
  return {
    figure: `${bidders} bidders, ${auctions === 1 ? 'one auction' : `${auctions} auctions`}`,
    'decided/s': Math.round(counted.times.length / secondsPerRun),
    'taken/s': Math.round(counted.taken / secondsPerRun),
    'p50 ms': rounded(percentile(counted.times, 0.5)),
    'p99 ms': rounded(percentile(counted.times, 0.99)),
  }
}

async function watch(url: string, { cookie }: Session, postId: string) {
  const socket = io(url, { transports: ['websocket'], extraHeaders: { cookie }, forceNew: true })
  // A loaded node refuses handshakes for a moment; the library does not try again by itself.
  socket.on('connect_error', () => setTimeout(() => socket.connect(), retryMs))
  await once(socket as never, 'hello')
  await socket.emitWithAck('view', { kind: 'post', id: postId, on: true })
  return socket
}

/** Sockets on all nodes look at one auction; each state is timed from the bid's sending to its arrival at each. */
async function measureFanOut(env: BenchEnv, sessions: Session[], watchers: number): Promise<BenchRow> {
  const [seller, one, two, ...others] = sessions
  const fallback = { dealerId: '', cookie: '' }
  const [postId = ''] = await openAuctions(env.databaseUrl, seller?.dealerId ?? '', 1)
  const sockets: Awaited<ReturnType<typeof watch>>[] = []
  while (sockets.length < watchers) {
    const batch = Array.from({ length: Math.min(connectAtOnce, watchers - sockets.length) }, (_none, index) => {
      const at = sockets.length + index
      return watch(env.nodes[at % env.nodes.length] ?? '', others[at % others.length] ?? fallback, postId)
    })
    sockets.push(...(await Promise.all(batch)))
  }
  const sentAt = new Map<number, number>()
  const times: number[] = []
  for (const socket of sockets)
    socket.on('auction.state', ({ bidCount }: { bidCount: number }) =>
      times.push(performance.now() - (sentAt.get(bidCount) ?? Number.NaN)),
    )
  for (let count = 1; count <= statesPerRun; count += 1) {
    sentAt.set(count, performance.now())
    const cookie = (count % 2 === 0 ? one : two)?.cookie ?? ''
    await fetch(`${env.nodes[0]}/api/inventory/${postId}/bids`, {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/json', 'idempotency-key': randomUUID() },
      body: JSON.stringify({ amount: 1 + (count - 1) * 500 }),
    })
    await new Promise((resolve) => setTimeout(resolve, stateEveryMs))
  }
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  for (const socket of sockets) socket.disconnect()
  return {
    figure: `bid POST → ${watchers} watchers`,
    'decided/s': '',
    'taken/s': `${rounded((100 * times.length) / (watchers * statesPerRun))} % arrived`,
    'p50 ms': rounded(percentile(times, 0.5)),
    'p99 ms': rounded(percentile(times, 0.99)),
  }
}

export async function run(env: BenchEnv): Promise<BenchRow[]> {
  const sessions = await openSessions(env.databaseUrl, 200)
  const rows = [await measureBids(env, sessions, 1), await measureBids(env, sessions, 100)]
  for (const watchers of watchersPerRun) rows.push(await measureFanOut(env, sessions, watchers))
  return rows
}
