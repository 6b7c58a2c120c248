import { setTimeout as wait } from 'node:timers/promises'
import type { BenchEnv, BenchRow } from './support/bench.ts'
import { call } from './support/calls.ts'
import { openSessions, perSecondOf, toRow, type Session, withDatabase } from './support/measure.ts'
import { execFileSync, spawn } from 'node:child_process'
import { Redis } from 'ioredis'

export const name = 'Matches: posts at a steady rate, 100,000 who look for something'

const watchers = 100_000
const dealers = 20_000
/** Radius in miles. With it, about five saved searches and buy orders match each vehicle. */
const radius = 100
/** Posts per second. A machine with two cores cannot keep up with the second rate. */
const rates = [25, 50]
const benchSeconds = 20
const sellers = 40
const awayAfterMs = 5_000
const awayMs = 5_000
const settledWithinMs = 120_000
const pollMs = 250

async function growWatchers(databaseUrl: string): Promise<void> {
  await withDatabase(databaseUrl, async (client) => {
    await client.query(
      `insert into dealers (email, name, dealership_name, city, state, email_verified_at, profile_completed_at, demo)
       select 'match-' || g || '@dealers.example', 'Buyer ' || g, 'Buyers ' || g, 'Tulsa', 'OK', now(), now(), true
       from generate_series(1, $1::int) g`,
      [dealers],
    )
    // A buy order matches only if the dealer who placed it has a plan.
    await client.query(
      `insert into subscriptions (dealer_id, plan_id, status, price_cents)
       select id, 'basic', 'active', 9900 from dealers where email::text like 'match-%'`,
    )
    await client.query(
      `create temp table buyers as select row_number() over () - 1 as k, id from dealers where email::text like 'match-%';
       create temp table models as select row_number() over () - 1 as k, make.key as make_key, model.key as model_key,
         make.label as make, model.label as model from find_words model join find_words make on make.id = model.parent_id
         where model.kind = 'model' and exists (select from find_vehicles f where f.model_id = model.id and not f.gone);
       create temp table spots as select row_number() over () - 1 as k, id from postal_places where length(code) = 5`,
    )
    await client.query(
      `create temp table looking as
       select uuidv7() as id, uuidv7() as watcher_id, b.id as dealer_id, m.make_key, m.model_key, m.make, m.model, g % 2 = 0 as is_order,
         2012 + (hashint4(g) & 65535) % 12 as year_min, (8000 + (hashint4(g + 1) & 65535) % 52000) * 100 as cents,
         (20 + (hashint4(g + 2) & 65535) % 130) * 1000 as miles_max, s.id as place_id
       from generate_series(1, ${watchers}) g join buyers b on b.k = g % ${dealers}
       join models m on m.k = (hashint4(g + 3) & 1048575) % (select count(*) from models)
       join spots s on s.k = (hashint4(g + 4) & 1048575) % (select count(*) from spots);
       insert into saved_searches (id, dealer_id, search, sort, kind, find_query)
       select id, dealer_id, id::text, 'recent', 'find', '{}' from looking where not is_order;
       insert into buy_orders (id, dealer_id, make, model, price_cents, per_month, expires_at)
       select id, dealer_id, make, model, cents, 50, now() + interval '60 days' from looking where is_order;
       insert into find_watchers (dealer_id, search_id, order_id, make_key, model_key, year_min, price_max, miles_max, place_id, radius)
       select dealer_id, case when not is_order then id end, case when is_order then id end, make_key, model_key, year_min,
         case when not is_order then cents end, miles_max, place_id, ${radius} from looking`,
    )
    for (const table of ['dealers', 'subscriptions', 'saved_searches', 'buy_orders', 'find_watchers'])
      await client.query(`vacuum analyze ${table}`)
  })
}

interface Car {
  year: number
  make: string
  model: string
  mileage: number
  price: number
  city: string
  state: string
}

async function readCars(databaseUrl: string): Promise<Car[]> {
  return withDatabase(databaseUrl, async (client) => {
    const { rows } = await client.query<Car>(
      `select v.year, v.make, v.model, v.mileage, (v.price_cents / 100)::int as price, p.city, p.region as state
       from vehicles v
       cross join lateral (select city, region from postal_places where country = 'US' and length(code) = 5
         and id > hashint4(v.mileage) & 32767 order by id limit 1) p
       where v.make is not null and v.mileage > 0 and v.model is not null and v.year is not null and v.mileage is not null and v.price_cents is not null`,
    )
    return rows
  })
}

interface Run {
  taken: number
  seconds: number
}

async function postAll(env: BenchEnv, sessions: Session[], cars: Car[], rate: number, first: number): Promise<Run> {
  const seconds = env.seconds ?? benchSeconds
  const start = performance.now()
  let taken = 0
  const post = async (index: number) => {
    const car = cars[index % cars.length]
    const vehicles = [{ ...car, vin: `YS3FD49Y${String(first + index).padStart(9, '0')}` }]
    const { status } = await call('POST', `${env.nodes[index % env.nodes.length] ?? ''}/api/inventory`, {
      headers: { cookie: sessions[index % sessions.length]?.cookie ?? '' },
      body: { title: 'For matching orders', type: 'single', vehicles },
    })
    if (status === 201) taken += 1
    else if (status >= 500) throw new Error(`a post was refused: ${status}`)
  }
  const posts: Promise<void>[] = []
  for (let index = 0; index < seconds * rate; index += 1) {
    const due = start + (index * 1_000) / rate - performance.now()
    if (due > 1) await wait(due)
    posts.push(post(index))
  }
  await Promise.all(posts)
  return { taken, seconds: (performance.now() - start) / 1_000 }
}

async function untilNotified(databaseUrl: string): Promise<void> {
  await withDatabase(databaseUrl, async (client) => {
    const end = performance.now() + settledWithinMs
    for (;;) {
      const { rows } = await client.query(`select 1 from outbox where name = 'find.match' limit 1`)
      if (rows.length === 0 || performance.now() > end) return
      await wait(pollMs)
    }
  })
}

interface Notified {
  expected: number
  missing: number
  notified: number
  twice: number
  p50: number
  p99: number
  most: number
}

/** Counts sent and expected notifications. None are expected for buy orders that were paused because their matches were ignored. */
async function readNotified(databaseUrl: string, since: Date): Promise<Notified> {
  return withDatabase(databaseUrl, async (client) => {
    const { rows } = await client.query<Notified>(
      `with posted as (
         select f.*, make.key as make_key, model.key as model_key, p.created_at, here.lat, here.lng
         from posts p join find_vehicles f on f.post_id = p.id
         join find_words make on make.id = f.make_id join find_words model on model.id = f.model_id
         left join postal_places here on here.id = f.place_id
         where p.created_at >= $1 and p.title = 'For matching orders'
       ), expected as (
         select distinct w.dealer_id, c.vehicle_id
         from posted c join find_watchers w on w.make_key = c.make_key and w.model_key = c.model_key
         left join buy_orders o on o.id = w.order_id join postal_places there on there.id = w.place_id
         where w.radius = ${radius} and w.dealer_id <> c.seller_id and (o.id is null or o.status = 'active') and c.year >= w.year_min and c.mileage <= w.miles_max and c.price_cents <= coalesce(w.price_max, o.price_cents * 1.1)
           and 3958.8 * acos(least(1, greatest(-1, sin(radians(c.lat)) * sin(radians(there.lat))
             + cos(radians(c.lat)) * cos(radians(there.lat)) * cos(radians(c.lng - there.lng))))) <= ${radius}
       ), notified as (
         select n.dealer_id, p.vehicle_id, count(*)::int as times, min(extract(epoch from n.created_at - p.created_at)) * 1000 as ms
         from posted p join notifications n on n.dedupe_key = 'match:' || p.vehicle_id group by 1, 2
       )
       select (select count(*)::int from expected) as expected,
         (select count(*)::int from expected e where not exists (
           select from notified t where t.dealer_id = e.dealer_id and t.vehicle_id = e.vehicle_id)) as missing,
         (select count(*)::int from notified) as notified, (select count(*)::int from notified where times > 1) as twice,
         percentile_cont(0.5) within group (order by ms)::float8 as p50, percentile_cont(0.99) within group (order by ms)::float8 as p99,
         max(ms)::float8 as most
       from notified`,
      [since],
    )
    const [notified] = rows
    if (notified === undefined) throw new Error('PostgreSQL answered nothing')
    return notified
  })
}

async function measure(env: BenchEnv, figure: string, goal: string, posting: () => Promise<Run>): Promise<BenchRow> {
  const since = new Date()
  const { taken, seconds } = await posting()
  await untilNotified(env.databaseUrl)
  const { expected, missing, notified, twice, p50, p99, most } = await readNotified(env.databaseUrl, since)
  const note = `${taken} posts; ${notified} notified of ${expected}, ${missing} missing, ${twice} twice; at most ${Math.round(most)} ms`
  return toRow({ figure, perSecond: perSecondOf(taken, seconds), latency: { p50, p99 }, goal, note })
}

export async function run(env: BenchEnv): Promise<BenchRow[]> {
  const sessions = await openSessions(env.databaseUrl, sellers)
  const cars = await readCars(env.databaseUrl)
  await growWatchers(env.databaseUrl)
  const rows: BenchRow[] = []
  for (const [turn, rate] of rates.entries()) {
    const first = turn * 1_000_000
    rows.push(
      await measure(env, `from a post to the notification of matching orders, ${rate}/s`, 'p99 ≤ 5,000', () =>
        postAll(env, sessions, cars, rate, first),
      ),
      await measure(env, `the same, Redis away for ${awayMs / 1_000} s`, '0 missing, 0 twice', async () => {
        const posting = postAll(env, sessions, cars, rate, first + 500_000)
        await wait(awayAfterMs)
        await restartRedis(env.redisUrl, awayMs)
        return posting
      }),
    )
  }
  return rows
}

const everyMs = 50

const connectTo = (redisUrl: string) =>
  new Redis(redisUrl, { lazyConnect: true, retryStrategy: null, maxRetriesPerRequest: 0 })

async function answers(redisUrl: string): Promise<boolean> {
  const redis = connectTo(redisUrl)
  redis.on('error', () => undefined)
  const isThere = await redis.ping().then(
    () => true,
    () => false,
  )
  redis.disconnect()
  return isThere
}

/** Restarts Redis with its data after an outage of `awayMs`. */
async function restartRedis(redisUrl: string, awayMs: number): Promise<void> {
  const redis = connectTo(redisUrl)
  const pid = Number(/process_id:(\d+)/.exec(await redis.info('server'))?.[1])
  redis.disconnect()
  const [command = '', ...args] = execFileSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' })
    .trim()
    .split(/\s+/)
  const folder = args[args.indexOf('--dir') + 1] ?? '.'
  process.kill(pid, 'SIGTERM')
  await wait(awayMs)
  while (await answers(redisUrl)) await wait(everyMs)
  const child = spawn(command, args, { cwd: folder, stdio: ['pipe', 'ignore', 'ignore'] })
  child.stdin.end(`bind 127.0.0.1\nrequirepass ${new URL(redisUrl).password}\nset-proc-title no\n`)
  process.once('exit', () => child.kill('SIGTERM'))
  // Let this process exit while Redis runs. The exit handler stops Redis.
  child.unref()
  while (!(await answers(redisUrl))) await wait(everyMs)
}
