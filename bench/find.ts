import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { NodeFigures } from '#shared/schemas/ops.ts'
import type { BenchEnv, BenchRow } from './support/bench.ts'
import { timeSeen } from './messages.ts'
import { call } from './support/calls.ts'
import { openChats } from './support/chats.ts'
import {
  metered,
  openSessions,
  percentile,
  perSecondOf,
  sequence,
  thousands,
  toRow,
  untilIdle,
  withDatabase,
} from './support/measure.ts'

export const name = 'Find: pages and counts of vehicles, beside plain SQL'

const sizes = [10_000, 200_000, 1_000_000]
const samples = 600
/** Warm-up requests, so that the server has compiled its functions before the measurement. */
const warmUps = 300
const controls = 12
const atOnce = 8
const atOnceEach = 50
const fresh = 12
const perPost = 20
const asksPerSecond = 40
const asksLastS = 20
const messagesPerSecond = 100
const chatPairs = 40
/** The result is the median of the rounds, because a short stall of the machine distorts the 99th percentile of its round. */
const rounds = 7
const reports = 20
const reportMs = 500
const makes = ['Ford', 'Ford~F-150', 'Toyota~Camry', 'Ram~1500', 'Chevrolet', 'Honda~CR-V', 'Jeep', 'BMW~X5']
const zips = ['75201', '10001', '98104', '60607', '30303', '80202', '33125', '74112']

async function growTo(databaseUrl: string, size: number): Promise<void> {
  await withDatabase(databaseUrl, async (client) => {
    await client.query(`
      create temp table source as select row_number() over () - 1 as k, f.vehicle_id from find_vehicles f where not gone;
      create temp table sellers as select row_number() over () - 1 as k, dealer_id from find_sellers;
      create temp table spots as select row_number() over () - 1 as k, id from postal_places where length(code) = 5`)
    await client.query(`
      create temp table added as select uuidv7() as post_id, g from generate_series(1, greatest(0,
        (${size} - (select count(*)::int from find_vehicles where not gone)) / ${perPost})) g`)
    await client.query(`
      insert into posts (id, dealer_id, type, title, vehicle_count, available_count, created_at)
      select a.post_id, s.dealer_id, 'multiple', 'A lot', ${perPost}, ${perPost}, now() - random() * interval '29 days'
      from added a join sellers s on s.k = a.g % (select count(*) from sellers);
      create temp table cars as select uuidv7() as id, a.post_id, n as position, 0.8 + 0.4 * random() as factor,
        (hashint4(a.g * ${perPost} + n) & 65535) % (select count(*) from source) as k,
        (hashint4(a.g * ${perPost} + n + 7) & 1048575) % (select count(*) from spots) as spot
      from added a, generate_series(0, ${perPost - 1}) n;
      insert into vehicles (id, post_id, position, vin, year, make, model, trim, mileage, price_cents, city, state)
      select c.id, c.post_id, c.position, v.vin, v.year, v.make, v.model, v.trim, (v.mileage * c.factor)::int,
        (v.price_cents * c.factor)::bigint, p.city, p.region
      from cars c join source s on s.k = c.k join vehicles v on v.id = s.vehicle_id
      join spots on spots.k = c.spot join postal_places p on p.id = spots.id;
      insert into find_vehicles (vehicle_id, post_id, seller_id, make_id, model_id, trim_id, year, price_cents, mileage, body, drive,
        fuel, has_photos, place_id, posted_at)
      select c.id, c.post_id, p.dealer_id, f.make_id, f.model_id, f.trim_id, f.year, (f.price_cents * c.factor)::bigint,
        (f.mileage * c.factor)::int, f.body, f.drive, f.fuel, random() < 0.8, spots.id, p.created_at
      from cars c join posts p on p.id = c.post_id join source s on s.k = c.k join find_vehicles f on f.vehicle_id = s.vehicle_id
      join spots on spots.k = c.spot`)
    for (const table of ['posts', 'vehicles', 'find_vehicles']) await client.query(`vacuum analyze ${table}`)
  })
}

const at = <T>(list: readonly T[], index: number) => list[index % list.length] ?? list[0]

function searchAt(index: number): string {
  const parts = [
    `price=-${15_000 + ((index * 7) % 400) * 100}`,
    ...(index % 2 === 0 ? [`mmt=${at(makes, index)}`] : []),
    ...(index % 3 === 0 ? [`year=${2016 + (index % 6)}-`] : []),
    ...(index % 4 === 0 ? [`near=${at(zips, index)}&within=${100 + (index % 9) * 50}`] : []),
    ...(index % 5 === 0 ? ['drive=4wd,awd'] : []),
  ]
  return parts.join('&')
}

/** Control: the same counts from one SQL query, without Find's in-memory columns. */
const countsInSql = (where: string) => `
  select make_id, model_id, year, body, drive, fuel, has_photos, least(price_cents / 300000, 23) as price, least(mileage / 10000, 23) as miles,
    count(*) from find_vehicles where not gone ${where}
  group by grouping sets ((make_id), (make_id, model_id), (year), (body), (drive), (fuel), (has_photos),
    (least(price_cents / 300000, 23)), (least(mileage / 10000, 23)), ())`

async function measureSql(env: BenchEnv, size: number): Promise<BenchRow[]> {
  return withDatabase(env.databaseUrl, async (client) => {
    const measured = async (figure: string, statement: (index: number) => string) => {
      const { value, cost } = await metered(
        env,
        () => sequence(controls, async (index) => void (await client.query(statement(index)))),
        () => controls,
      )
      return toRow({ figure, times: value, goal: '', note: thousands(size), cost })
    }
    const bound = (index: number) => `and price_cents <= ${(15_000 + ((index * 7) % 400) * 100) * 100}`
    return [
      await measured('control: counts in PostgreSQL, no filter', () => countsInSql('')),
      await measured('control: counts in PostgreSQL, a price', (index) => countsInSql(bound(index))),
      await measured(
        'control: page in PostgreSQL, a price and a body',
        (index) =>
          `select vehicle_id from find_vehicles where not gone ${bound(index)} and body = 3 and fuel = 4 order by posted_at desc, row_no desc limit 26`,
      ),
    ]
  })
}

interface Node {
  url: string
  cookie: string
}

const ask = async ({ url, cookie }: Node, path: string) => {
  const answer = await call('GET', url + path, { headers: { cookie } })
  if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`)
  return answer.body as { total: number; next: string | null; head: string; count: number }
}

async function measureFind(env: BenchEnv, node: Node, size: number): Promise<BenchRow[]> {
  const cases: [string, string, (index: number) => string][] = [
    ['page', 'p99 ≤ 25', (index) => `/api/find?${searchAt(index)}`],
    ['page and counts', 'p99 ≤ 50', (index) => `/api/find?${searchAt(index)}&facets=1`],
    ['page and counts, no filter', 'p99 ≤ 50', (index) => `/api/find?facets=1&price=-${90_000_000 + index}`],
  ]
  const rows: BenchRow[] = []
  for (let index = 0; index < warmUps; index += 1)
    for (const more of ['', '&facets=1']) await ask(node, `/api/find?${searchAt(9_000 + index)}${more}`)
  await untilIdle(env)
  for (const [figure, goal, path] of cases) {
    const { value, cost } = await metered(
      env,
      () => sequence(samples, async (index) => void (await ask(node, path(index)))),
      () => samples,
    )
    rows.push(toRow({ figure: `find, ${figure}`, times: value, goal, note: thousands(size), cost }))
  }
  const { seconds, cost } = await metered(
    env,
    () =>
      Promise.all(
        Array.from({ length: atOnce }, (_, place) =>
          sequence(
            atOnceEach,
            async (index) => void (await ask(node, `/api/find?${searchAt(samples * (place + 1) + index)}&facets=1`)),
          ),
        ),
      ),
    () => atOnce * atOnceEach,
  )
  const perSecond = perSecondOf(atOnce * atOnceEach, seconds)
  return [
    ...rows,
    toRow({
      figure: `find, ${atOnce} at once, with counts`,
      perSecond,
      goal: '≥ 60/s on 2 cores',
      note: thousands(size),
      cost,
    }),
  ]
}

interface Asked {
  times: number[]
  refused: number
}

/** Starts a thread. Returns a function that stops the thread and resolves to its result. */
function startThread<T>(file: string, workerData: object): () => Promise<T> {
  const thread = new Worker(new URL(`support/${file}`, import.meta.url), { workerData })
  const failed = once(thread, 'error').then(([error]) => Promise.reject(error))
  // Prevents an unhandled rejection. Stopping the thread reports the error.
  failed.catch(() => undefined)
  return async () => {
    const answered = once(thread, 'message')
    thread.postMessage('over')
    const [reply] = (await Promise.race([answered, failed])) as [T]
    return reply
  }
}

function askAtRate({ url, cookie }: Node, path: (index: number) => string): () => Promise<Asked> {
  const urls = Array.from({ length: asksPerSecond * asksLastS }, (_, index) => url + path(index))
  return startThread('asker.mjs', { urls, headers: { cookie }, perSecond: asksPerSecond })
}

/** Returns CPU milliseconds per response, summed over all processes including the client. */
async function costOf(env: BenchEnv, answer: (index: number) => Promise<void>): Promise<number> {
  const total = () => Object.values(env.cpu()).reduce((sum, seconds) => sum + seconds, 0)
  const before = total()
  await sequence(warmUps, answer)
  return ((total() - before) * 1_000) / warmUps
}

/** Measures messages alone, beside searches and beside a CPU load in turn, so that other activity on the machine affects all three. */
async function measureChat(env: BenchEnv, cookie: string, size: number): Promise<BenchRow[]> {
  const chats = await openChats(env, chatPairs)
  const node = { url: env.nodes[0] ?? '', cookie }
  const path = (index: number) => `/api/find?${searchAt(index)}&facets=1`
  await sequence(warmUps, async (index) => void (await ask(node, path(9_000 + index))))
  const findMs = await costOf(env, async (index) => void (await ask(node, path(12_000 + index))))
  const finds: Asked = { times: [], refused: 0 }
  const askBeside = () => {
    const asked = finds.times.length
    const end = askAtRate(node, (index) => path(20_000 + asked + index))
    return async () => {
      const { times, refused } = await end()
      finds.times.push(...times)
      finds.refused += refused
    }
  }
  const spinBeside = () => startThread('spinner.mjs', { ms: findMs, perSecond: asksPerSecond })
  const kinds: { figure: string; goal?: string; begin?: () => () => Promise<unknown> }[] = [
    { figure: 'by themselves' },
    { figure: `beside ${asksPerSecond} finds/s`, goal: 'p99 ± 10 %', begin: askBeside },
    {
      figure: `control: beside a stranger that takes ${findMs.toFixed(1)} ms of a processor ${asksPerSecond} times/s`,
      begin: spinBeside,
    },
  ]
  const measured = kinds.map((kind) => ({ ...kind, p50: [] as number[], p99: [] as number[], missing: 0 }))
  for (let round = 0; round < rounds; round += 1)
    for (const kind of measured) {
      await untilIdle(env)
      const end = kind.begin?.()
      const { times, missing } = await timeSeen(env, chats, messagesPerSecond)
      await end?.()
      kind.p50.push(percentile(times, 0.5))
      kind.p99.push(percentile(times, 0.99))
      kind.missing += missing
    }
  const middle = (values: number[]) => percentile(values, 0.5)
  const note = thousands(size)
  return [
    ...measured.map(({ figure, goal = '', p50, p99, missing }) =>
      toRow({
        figure: `messages, ${messagesPerSecond}/s, ${figure}`,
        perSecond: messagesPerSecond,
        latency: { p50: middle(p50), p99: middle(p99) },
        goal,
        note: `${note}, p99 of the rounds ${p99
          .map(Math.round)
          .toSorted((a, b) => a - b)
          .join(' ')}, ${missing} missing`,
      }),
    ),
    toRow({
      figure: 'these finds',
      perSecond: asksPerSecond,
      times: finds.times,
      goal: 'p99 ≤ 50',
      note: `${note}, ${finds.refused} refused`,
    }),
  ]
}

const car = { year: 2021, make: 'Saab', model: '9-3', mileage: 48_210, price: 31_900, city: 'Tulsa', state: 'OK' }

async function measureFreshness(node: Node, size: number): Promise<BenchRow> {
  const times = await sequence(fresh, async (index) => {
    const { total } = await ask(node, `/api/find?mmt=Saab&price=-${40_000 + index}`)
    const vehicles = [{ ...car, vin: `YS3FD49Y${String(index).padStart(9, '0')}` }]
    const body = { title: 'A Saab', type: 'single', vehicles }
    const made = await call('POST', `${node.url}/api/inventory`, { headers: { cookie: node.cookie }, body })
    if (made.status !== 201) throw new Error(`the post was refused: ${made.status}`)
    let seen = total
    for (let turn = 0; seen === total; turn += 1)
      seen = (await ask(node, `/api/find?mmt=Saab&price=-${50_000 + index * 1_000 + turn}`)).total
  })
  return toRow({ figure: 'a post until it is found', times, goal: '≤ 1,000', note: thousands(size) })
}

/** Polls for up to ten seconds until the newest process reports that it has loaded at least this many vehicles. */
async function reportOf(url: string, admin: string, vehicles: number): Promise<NodeFigures | undefined> {
  let newest: NodeFigures | undefined
  for (let turn = 0; turn < reports && (newest?.find?.vehicles ?? 0) < vehicles; turn += 1) {
    if (turn > 0) await wait(reportMs)
    const { body } = await call('GET', `${url}/api/ops/queues`, { headers: { cookie: admin } })
    const { figures } = body as { figures: { nodes: NodeFigures[] } }
    newest = figures.nodes.toSorted((a, b) => a.startedAt.localeCompare(b.startedAt)).at(-1)
  }
  return newest
}

async function measureStart(env: BenchEnv, admin: string, size: number) {
  const start = performance.now()
  const started = await env.startNode()
  const times = [performance.now() - start]
  const report = await reportOf(started.url, admin, size / 2)
  const note = `${thousands(report?.find?.vehicles ?? 0)} held in ${report?.find?.memoryMb ?? 0} MB, process ${report?.memoryMb ?? 0} MB`
  return { started, row: toRow({ figure: `a process until it is ready, ${thousands(size)}`, times, goal: '', note }) }
}

export async function run(env: BenchEnv): Promise<BenchRow[]> {
  const [dealer] = await openSessions(env.databaseUrl, 1)
  const [admin] = await openSessions(env.databaseUrl, 1, 'admin')
  const most = env.posts ?? Infinity
  const rows: BenchRow[] = []
  for (const size of sizes.filter((one) => one <= most)) {
    await growTo(env.databaseUrl, size)
    const { started, row } = await measureStart(env, admin?.cookie ?? '', size)
    const node = { url: started.url, cookie: dealer?.cookie ?? '' }
    rows.push(
      row,
      ...(await measureFind(env, node, size)),
      await measureFreshness(node, size),
      ...(await measureSql(env, size)),
    )
    await started.stop()
    rows.push(...(await measureChat(env, dealer?.cookie ?? '', size)))
  }
  return rows
}
