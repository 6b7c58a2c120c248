import type { LaneChanges } from '#shared/events/lane.ts'
import { laneLive } from '#server/features/lane/lane.live.ts'
import type { BenchEnv, BenchRow } from './support/bench.ts'
import { call } from './support/calls.ts'
import { openSessions, sequence, type Session, toRow, untilIdle, withDatabase } from './support/measure.ts'

export const name = 'Reading the whole Lane among many open auctions, and its events per second'

const openAtOnce = 5_000
/** Warm-up requests, so that the server has compiled its functions before the measurement. */
const warming = 300
const reads = 1_200
const readersAtOnce = 8
const rowsInWord = 50
const wordsInTick = 8
const ticks = 500

/** Measures the work that a node does each second for the Lane: merging eight full change events and serializing the result. */
function measureTick(): BenchRow {
  const merge = laneLive.merges?.['lane.rows']
  const word = (nth: number): LaneChanges => ({
    rows: Array.from({ length: rowsInWord }, (_, index) => ({
      postId: `00000000-0000-4000-8000-0000000${String(10_000 + nth * 25 + index)}`,
      seq: nth,
      status: 'open',
      amount: 20_000 + nth,
      minNext: 20_500 + nth,
      bidCount: nth,
      leader: 1,
      reserve: 'not_met',
      startsAt: new Date(0).toISOString(),
      endsAt: new Date((index % 7) * 1_000).toISOString(),
    })),
    gone: [],
    more: false,
    serverNow: new Date(nth).toISOString(),
  })
  const words = Array.from({ length: wordsInTick }, (_, nth) => word(nth))
  const times = Array.from({ length: ticks }, () => {
    const start = performance.now()
    JSON.stringify(['lane.rows', words.reduce((held, next) => merge?.(held, next) ?? next)])
    return performance.now() - start
  })
  return toRow({ figure: `lane.rows: a tick of ${wordsInTick} words with ${rowsInWord} rows`, times, goal: 'p99 ≤ 2' })
}

async function growTo(databaseUrl: string, dealerId: string): Promise<void> {
  await withDatabase(databaseUrl, async (client) => {
    await client.query(`create temp table lots as select g, uuidv7() as id from generate_series(1, ${openAtOnce}) g`)
    await client.query(
      `with sellers as (select id, row_number() over (order by id) - 1 as k, count(*) over () as n from dealers
         where role = 'dealer' and deleted_at is null and id <> $1)
       insert into posts (id, dealer_id, type, title, vehicle_count, available_count)
       select lots.id, sellers.id, 'single', 'Live auction ' || lots.g, 1, 1 from lots join sellers on sellers.k = lots.g % sellers.n`,
      [dealerId],
    )
    await client.query(
      `insert into vehicles (post_id, position, year, make, model, trim, mileage, price_cents, city, state)
       select id, 0, 2021, 'Ford', 'F-150', 'XLT SuperCrew', 40000 + g, 3000000, 'Tulsa', 'OK' from lots;
       insert into photos (post_id, position, url) select id, n, '/api/objects/' || id || '-' || n from lots, generate_series(0, 3) n;
       insert into auctions (post_id, seller_id, start_cents, increment_cents, starts_at, ends_at, hard_ends_at)
       select lots.id, posts.dealer_id, 1000000, 50000, moment.starts, moment.starts + interval '3 hours',
         moment.starts + interval '4 hours'
       from lots join posts on posts.id = lots.id
       cross join lateral (select now() + (case when g % 2 = 0 then -g else g end) * interval '2 seconds' as starts) moment`,
    )
    await client.query(
      `with own as (select id, row_number() over (order by g) as n from lots where g % 2 = 0 limit 30),
       bid as (insert into auction_bidders (post_id, bidder_id, number) select id, $1, 1 from own)
       insert into lane_pins (dealer_id, post_id, slot) select $1, id, case when n <= 6 then n end from own where n <= 12`,
      [dealerId],
    )
    await client.query(
      `update auctions set leader_id = $1, leader_max_cents = 1100000, amount_cents = 1000000, bid_count = 1, bidder_count = 1, seq = 1
       where post_id in (select post_id from auction_bidders where bidder_id = $1)`,
      [dealerId],
    )
    for (const table of ['posts', 'vehicles', 'photos', 'auctions', 'auction_bidders', 'lane_pins'])
      await client.query(`vacuum analyze ${table}`)
  })
}

async function measureReads(env: BenchEnv, { dealerId, cookie }: Session): Promise<BenchRow[]> {
  await growTo(env.databaseUrl, dealerId)
  await untilIdle(env)
  const [url = ''] = env.nodes
  const read = async (path: string, headers: Record<string, string> = {}) => {
    const { status, headers: told } = await call('GET', url + path, { headers: { cookie, ...headers } })
    if (status !== 200 && status !== 304) throw new Error(`${path} answered ${status}`)
    return String(told['etag'])
  }
  await sequence(warming, async () => void (await read('/api/lane')))
  const alone = await sequence(reads, async () => void (await read('/api/lane')))
  const together = await Promise.all(
    Array.from({ length: readersAtOnce }, () => sequence(reads / 2, async () => void (await read('/api/lane')))),
  )
  const etag = await read('/api/lane')
  const known = await sequence(reads, async () => void (await read('/api/lane', { 'if-none-match': etag })))
  const control = await sequence(reads, async () => void (await read('/health/live')))
  const each = `GET /api/lane, ${openAtOnce} open`
  return [
    toRow({ figure: each, times: alone, goal: 'p99 ≤ 25' }),
    toRow({ figure: `${each}, unchanged`, times: known, goal: '' }),
    toRow({ figure: `${each}, ${readersAtOnce} at once`, times: together.flat(), goal: '' }),
    toRow({ figure: 'control: /health/live', times: control, goal: '' }),
  ]
}

export async function run(env: BenchEnv): Promise<BenchRow[]> {
  const [dealer] = await openSessions(env.databaseUrl, 1)
  if (dealer === undefined) throw new Error('the demo network has no dealer')
  return [...(await measureReads(env, dealer)), measureTick()]
}
