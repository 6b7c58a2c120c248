import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { bidIncrements } from '#shared/limits.ts'
import { checkHistory, type Acknowledged } from './auction-history.ts'
import type { BenchEnv, BenchRow } from './bench.ts'
import { untilAnswered } from './answered.ts'
import { call } from './calls.ts'
import { countedFaults, startFaults } from './faults.ts'
import { openSessions, perSecondOf, percentOf, withDatabase, type Session } from './measure.ts'
import { connect } from './sockets.ts'

const defaultSeconds = 60
const bidders = 24
const auctionsAtOnce = 6
const lastsSeconds = 8
const hardEndSeconds = 4
const startDollars = 100
const thinkMs = 40
const pollMs = 50
const closeWithinMs = 30_000
const [increment] = bidIncrements
const centsPerDollar = 100

interface Race {
  open: string[]
  all: string[]
  prices: Map<string, number>
  told: Acknowledged[]
  retries: number
  odd: string[]
}

async function openAuction(databaseUrl: string, sellerId: string): Promise<string> {
  return withDatabase(databaseUrl, async (client) => {
    const { rows } = await client.query<{ post_id: string }>(
      `with made as (insert into posts (dealer_id, type, title) values ($1, 'single', 'Live auction under faults') returning id)
       insert into auctions (post_id, seller_id, start_cents, increment_cents, starts_at, ends_at, hard_ends_at)
       select id, $1, $2, $3, now(), now() + $4 * interval '1 second', now() + $5 * interval '1 second'
       from made returning post_id`,
      [
        sellerId,
        startDollars * centsPerDollar,
        increment * centsPerDollar,
        lastsSeconds,
        lastsSeconds + hardEndSeconds,
      ],
    )
    return rows[0]?.post_id ?? ''
  })
}

interface BidBody {
  amount?: number
  error?: { code?: string; details?: { code?: string; minNext?: number } }
}

/** Returns the starting amount, or the lowest allowed bid plus a varying amount. */
const amountFor = (price: number | undefined, turn: number): number =>
  price === undefined ? startDollars : price + (bidIncrements[turn % bidIncrements.length] ?? increment) - increment

const nextOf = (status: number, { amount, error }: BidBody): number | undefined =>
  status === 201 && amount !== undefined ? amount + increment : error?.details?.minNext

async function bidOnce(race: Race, urls: string[], session: Session, postId: string, turn: number): Promise<void> {
  const key = randomUUID()
  const amount = amountFor(race.prices.get(postId), turn)
  const headers = { cookie: session.cookie, 'idempotency-key': key }
  const { status, body } = await untilAnswered(
    (again) =>
      call('POST', `${urls[(turn + again) % urls.length]}/api/inventory/${postId}/bids`, { headers, body: { amount } }),
    () => void (race.retries += 1),
  )
  const answer = body as BidBody
  const { error } = answer
  const next = nextOf(status, answer)
  if (next !== undefined) race.prices.set(postId, Math.max(next, race.prices.get(postId) ?? 0))
  if (status === 201) race.told.push({ postId, bidderId: session.dealerId, key, amount })
  else if (error?.details?.code === 'CLOSED') race.open = race.open.filter((id) => id !== postId)
  else if (status !== 409) race.odd.push(`${status} ${error?.code ?? ''}`)
}

async function bidOn(race: Race, urls: () => string[], session: Session, index: number, signal: AbortSignal) {
  for (let turn = index; !signal.aborted; turn += 1) {
    const postId = race.open[turn % Math.max(1, race.open.length)]
    if (postId !== undefined) await bidOnce(race, urls(), session, postId, turn)
    await wait(thinkMs)
  }
}

/** Opens a new auction whenever one closes. `watcher` watches every auction. It stays connected, because its process is never killed. */
async function keepOpen(race: Race, env: BenchEnv, sellerId: string, watcher: Watcher, signal: AbortSignal) {
  while (!signal.aborted) {
    if (race.open.length < auctionsAtOnce) {
      const postId = await openAuction(env.databaseUrl, sellerId)
      await watcher.watch(postId)
      race.all.push(postId)
      race.open = [...race.open, postId]
    }
    await wait(pollMs)
  }
}

type Watcher = Awaited<ReturnType<typeof openWatcher>>

async function openWatcher(url: string, { cookie }: Session) {
  const socket = await connect(url, cookie)
  const soldSeen = new Set<string>()
  socket.on('auction.state', ({ postId, status }: { postId: string; status: string }) => {
    if (status !== 'open') soldSeen.add(postId)
  })
  return {
    watch: (postId: string) => socket.emitWithAck('view', { kind: 'post', id: postId, on: true }),
    heard: () => soldSeen.size,
    close: () => socket.disconnect(),
  }
}

async function untilClosed(env: BenchEnv, posts: string[]): Promise<void> {
  for (const until = performance.now() + closeWithinMs; performance.now() < until; await wait(pollMs * 4)) {
    const open = await withDatabase(env.databaseUrl, (client) =>
      client.query(`select 1 from auctions where post_id = any($1) and status = 'open' limit 1`, [posts]),
    )
    if (open.rowCount === 0) return
  }
}

/** Dealers bid in auctions while processes die and connections break. Returns checks of the stored bids. */
export async function raceAuctions(env: BenchEnv): Promise<BenchRow[]> {
  const seconds = env.seconds ?? defaultSeconds
  const [seller, looker, ...crowd] = await openSessions(env.databaseUrl, bidders + 2)
  if (seller === undefined || looker === undefined) throw new Error('the demo network has too few dealers')
  const race: Race = { open: [], all: [], prices: new Map(), told: [], retries: 0, odd: [] }
  const watcher = await openWatcher(env.nodes[0] ?? '', looker)
  const faults = await startFaults(env)
  const signal = AbortSignal.timeout(seconds * 1_000)
  const urls = () => [...env.nodes, ...faults.urls()]
  const [done] = await Promise.all([
    faults.run(signal),
    keepOpen(race, env, seller.dealerId, watcher, signal),
    ...crowd.map((session, index) => bidOn(race, urls, session, index, signal)),
  ])
  await untilClosed(env, race.all)
  await wait(closeWithinMs / 15)
  const checks = await withDatabase(env.databaseUrl, (client) => checkHistory(client, race.all, race.told))
  watcher.close()
  await faults.close()
  return [
    countedFaults(done, seconds),
    {
      what: `retries of bids (${perSecondOf(race.told.length, seconds)} bids/s accepted)`,
      counted: race.retries,
      wrong: '',
    },
    {
      what: `responses that no bidder may get ${race.odd.slice(0, 3).join(', ')}`,
      counted: race.odd.length,
      wrong: race.odd.length,
    },
    ...checks,
    {
      what: 'auction ends received by a socket that stayed connected',
      counted: watcher.heard(),
      wrong: `${percentOf(watcher.heard(), race.all.length)} received`,
    },
  ]
}
