import { randomUUID } from 'node:crypto'
import { bidIncrements } from '#shared/limits.ts'
import type { BenchEnv, BenchRow } from './support/bench.ts'
import { call } from './support/calls.ts'
import {
  idlePerSecond,
  metered,
  openSessions,
  percentOf,
  perSecondOf,
  toRow,
  untilIdle,
  withDatabase,
  type Session,
} from './support/measure.ts'
import { startBareServer } from './support/bare.ts'
import { connect, connectMany, listen, watchPost } from './support/sockets.ts'

export const name = 'Bids, and an auction’s state to its watchers'

const bidders = 40
const secondsPerRun = 6
const fanOuts = [
  { watchers: 1_000, everyMs: 50, goal: 'p99 ≤ 60' },
  { watchers: 5_000, everyMs: 100, goal: 'p99 ≤ 120' },
]
const statesPerRun = 40
/** Longer than the interval at which a node publishes an auction's state. If bids were placed faster, several could share one state. */
const stateEveryMs = 100
const [increment] = bidIncrements
const centsPerDollar = 100
const settleMs = 1_500

export async function openAuctions(databaseUrl: string, sellerId: string, count: number): Promise<string[]> {
  return withDatabase(databaseUrl, async (client) => {
    const { rows } = await client.query<{ post_id: string }>(
      `with made as (insert into posts (dealer_id, type, title)
         select $1, 'single', 'Live auction ' || n from generate_series(1, $2) n returning id)
       insert into auctions (post_id, seller_id, start_cents, increment_cents, starts_at, ends_at, hard_ends_at)
       select id, $1, 100, $3, now(), now() + interval '1 hour', now() + interval '2 hours' from made returning post_id`,
      [sellerId, count, increment * centsPerDollar],
    )
    return rows.map((row) => row.post_id)
  })
}

interface BidAnswer {
  amount?: number
  error?: { details?: { minNext?: number } }
}

async function bid(url: string, cookie: string, postId: string, amount: number) {
  const headers = { cookie, 'idempotency-key': randomUUID() }
  const { status, body } = await call('POST', `${url}/api/inventory/${postId}/bids`, { headers, body: { amount } })
  if (status !== 201 && status !== 409) throw new Error(`a bid was answered with ${status}`)
  const { amount: taken, error } = body as BidAnswer
  return { taken: status === 201, minNext: error?.details?.minNext ?? (taken ?? 0) + increment }
}

interface Counted {
  times: number[]
  taken: number
}

/** Dealers bid continuously. Each bids the lowest amount that any response so far has allowed. */
async function bidAll(env: BenchEnv, sessions: Session[], posts: string[]): Promise<Counted> {
  const counted: Counted = { times: [], taken: 0 }
  const prices = new Map<string, number>()
  const until = performance.now() + secondsPerRun * 1_000
  const run = async ({ cookie }: Session, index: number) => {
    for (let turn = 0; performance.now() < until; turn += 1) {
      const postId = posts[(turn * 7 + index * 13) % posts.length] ?? ''
      const start = performance.now()
      const { taken, minNext } = await bid(
        env.nodes[index % env.nodes.length] ?? '',
        cookie,
        postId,
        prices.get(postId) ?? 1,
      )
      counted.times.push(performance.now() - start)
      if (taken) counted.taken += 1
      prices.set(postId, Math.max(minNext, prices.get(postId) ?? 0))
    }
  }
  await Promise.all(sessions.map(run))
  return counted
}

async function measureBids(env: BenchEnv, sessions: Session[], auctions: number): Promise<BenchRow> {
  const [seller, ...others] = sessions
  const posts = await openAuctions(env.databaseUrl, seller?.dealerId ?? '', auctions)
  const crowd = others.slice(0, bidders)
  const { value, seconds, cost } = await metered(
    env,
    () => bidAll(env, crowd, posts),
    ({ times }) => times.length,
  )
  return toRow({
    figure: `bids decided: ${bidders} bidders, ${auctions === 1 ? 'one auction' : `${auctions} auctions`}`,
    perSecond: perSecondOf(value.times.length, seconds),
    times: value.times,
    goal: `≥ ${auctions === 1 ? '1,000' : '3,000'}/s, p99 ≤ 50`,
    note: `${perSecondOf(value.taken, seconds)}/s taken`,
    cost,
  })
}

interface Heard {
  times: number[]
  deliveries: number
}

type FanOut = (typeof fanOuts)[number]

/** Measures the time from sending a bid until each watching socket receives the auction's new state. */
async function measureFanOut(env: BenchEnv, sessions: Session[], { watchers, everyMs, goal }: FanOut) {
  const [seller, one, two, ...others] = sessions
  const [postId = ''] = await openAuctions(env.databaseUrl, seller?.dealerId ?? '', 1)
  const [url = ''] = env.nodes
  const { sockets, refused } = await connectMany(watchers, async (index) => {
    const socket = await connect(
      env.nodes[index % env.nodes.length] ?? url,
      others[index % others.length]?.cookie ?? '',
    )
    await watchPost(socket, postId)
    return socket
  })
  const sentAt = new Map<number, number>()
  const heard: Heard = { times: [], deliveries: 0 }
  for (const socket of sockets)
    listen(socket, 'auction.state', ({ bidCount }: { bidCount: number }) => {
      heard.deliveries += 1
      heard.times.push(performance.now() - (sentAt.get(bidCount) ?? Number.NaN))
    })
  const pace = Math.max(everyMs, stateEveryMs + 20)
  const idle = await idlePerSecond(env)
  const { cost } = await metered(
    env,
    async () => {
      for (let count = 1; count <= statesPerRun; count += 1) {
        sentAt.set(count, performance.now())
        await bid(url, (count % 2 === 0 ? one : two)?.cookie ?? '', postId, 1 + (count - 1) * increment)
        await new Promise((resolve) => setTimeout(resolve, pace))
      }
      await new Promise((resolve) => setTimeout(resolve, settleMs))
    },
    () => heard.deliveries,
    idle,
  )
  for (const socket of sockets) socket.disconnect()
  return toRow({
    figure: `bid POST → ${sockets.length} of ${watchers} watchers`,
    times: heard.times,
    goal,
    note: `${percentOf(heard.deliveries, sockets.length * statesPerRun)} arrived, ${refused} refused`,
    cost,
  })
}

/** Control: sends the same messages to the same number of sockets through a Socket.IO server that does nothing else. */
async function measureControl({ watchers, everyMs }: FanOut): Promise<BenchRow> {
  const server = await startBareServer()
  const { sockets, refused } = await connectMany(watchers, () => connect(server.url, '', 'connected'))
  const heard: Heard = { times: [], deliveries: 0 }
  for (const socket of sockets)
    socket.on('state', ({ sentAt }: { sentAt: number }) => {
      heard.deliveries += 1
      heard.times.push(performance.now() - sentAt)
    })
  const { cost } = await metered(
    { cpu: server.cpu },
    async () => {
      for (let count = 1; count <= statesPerRun; count += 1) {
        server.say({ sentAt: performance.now(), padding: 'x'.repeat(600) })
        await new Promise((resolve) => setTimeout(resolve, Math.max(everyMs, stateEveryMs + 20)))
      }
      await new Promise((resolve) => setTimeout(resolve, settleMs))
    },
    () => heard.deliveries,
  )
  for (const socket of sockets) socket.disconnect()
  await server.stop()
  return toRow({
    figure: `control: bare Socket.IO → ${sockets.length}`,
    times: heard.times,
    goal: 'server CPU ≥ 90 % of ours',
    note: `${percentOf(heard.deliveries, sockets.length * statesPerRun)} arrived, ${refused} refused`,
    cost,
  })
}

export async function run(env: BenchEnv): Promise<BenchRow[]> {
  const sessions = await openSessions(env.databaseUrl, 200)
  // The first auction would otherwise share the processor with the work of the start.
  await untilIdle(env)
  const rows = [await measureBids(env, sessions, 1), await measureBids(env, sessions, 100)]
  for (const fanOut of fanOuts) rows.push(await measureFanOut(env, sessions, fanOut), await measureControl(fanOut))
  return rows
}
