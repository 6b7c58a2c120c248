import type { BenchEnv, BenchRow } from './support/bench.ts'
import { call } from './support/calls.ts'
import {
  httpLoad,
  metered,
  openSessions,
  rounded,
  sequence,
  thousands,
  toRow,
  withDatabase,
} from './support/measure.ts'

export const name = 'Feed page, search and the unchanged poll'

const sizes = [10_000, 200_000]
/** Each request of a round has a different `limit`, because the server caches pages by `limit`. */
const limits = 40
const leastLimit = 7
const rounds = 8
/** Number of rounds for searches that are not cached. Four rounds use 32 spellings of each search, which is all that five letters allow. */
const freshRounds = 4
/** How long the server caches a page, in ms (`feed.service.ts`). */
const pageMs = 1_000
const searches = ['ford f-150', 'tulsa', 'camry hybrid', '1FTFW1E53', 'silverado crew']

async function growTo(databaseUrl: string, size: number): Promise<void> {
  await withDatabase(databaseUrl, async (client) => {
    await client.query(
      `with missing as (select greatest(0, $1 - count(*)) as n from posts),
       source as (select array_agg(id) as ids from (select id from posts order by id limit 500) seeds),
       picked as (
         select source.ids[1 + (g % array_length(source.ids, 1))] as original, g
         from source, missing, generate_series(1, missing.n) g),
       inserted as (
         insert into posts (dealer_id, type, title, description, status, vehicle_count, available_count, ai_summary,
                            search, search_text, spreadsheet_url, created_at)
         select p.dealer_id, p.type, p.title, p.description, p.status, p.vehicle_count, p.available_count, p.ai_summary,
                p.search, p.search_text, p.spreadsheet_url, now() - picked.g * interval '150 seconds'
         from picked join posts p on p.id = picked.original
         returning id, title, created_at)
       insert into vehicles (post_id, position, year, make, model, mileage, price_cents, city, state)
       select inserted.id, 0, 2021, 'Ford', 'F-150', 40000, 3000000, 'Tulsa', 'OK' from inserted`,
      [size],
    )
    await client.query('vacuum analyze posts')
    await client.query('vacuum analyze vehicles')
  })
}

interface Case {
  figure: string
  path: (limit: number) => string
  rounds: number
  goal?: string
}

async function readTimes(url: string, cookie: string, { path, rounds }: Case): Promise<number[]> {
  const times: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    times.push(
      ...(await sequence(limits, async (index) => {
        const { status } = await call('GET', url + path(leastLimit + index), { headers: { cookie } })
        if (status !== 200) throw new Error(`${path(leastLimit + index)} answered ${status}`)
      })),
    )
    await new Promise((resolve) => setTimeout(resolve, pageMs))
  }
  return times
}

/** Returns the nth mix of upper and lower case: the same search in a spelling that is not cached yet. */
function withMixedCase(words: string, nth: number): string {
  let bits = nth
  return words.toLowerCase().replaceAll(/[a-z]/g, (letter) => {
    const isCapital = bits % 2 === 1
    bits = Math.floor(bits / 2)
    return isCapital ? letter.toUpperCase() : letter
  })
}

async function measureSize(env: BenchEnv, size: number): Promise<BenchRow[]> {
  const {
    nodes: [url = ''],
    databaseUrl,
  } = env
  await growTo(databaseUrl, size)
  const [session] = await openSessions(databaseUrl, 1)
  const cookie = session?.cookie ?? ''
  const searched = (words: string, limit: number) => `/api/inventory?limit=${limit}&search=${encodeURIComponent(words)}`
  const wordsOf = (limit: number) => searches[limit % searches.length] ?? ''
  let asked = 0
  const cases: Case[] = [
    { figure: 'first page, recent', rounds, path: (limit) => `/api/inventory?limit=${limit}` },
    { figure: 'first page, hottest', rounds, path: (limit) => `/api/inventory?sort=hottest&limit=${limit}` },
    {
      figure: 'first page, auction promo',
      rounds,
      path: (limit) => `/api/inventory?sort=auction-promo&limit=${limit}`,
    },
    { figure: 'search', rounds, path: (limit) => searched(wordsOf(limit), limit) },
    {
      figure: 'search, words not searched before',
      rounds: freshRounds,
      goal: 'p99 ≤ 40',
      path: (limit) => searched(withMixedCase(wordsOf(limit), Math.floor((asked += 1) / searches.length)), limit),
    },
  ]
  const rows: BenchRow[] = []
  for (const one of cases) {
    const { value, cost } = await metered(
      env,
      () => readTimes(url, cookie, one),
      (times) => times.length,
    )
    rows.push(
      toRow({ figure: one.figure, times: value, goal: one.goal ?? 'p99 ≤ 25', note: `${thousands(size)} posts`, cost }),
    )
  }
  return rows
}

const poll = (env: BenchEnv, load: Parameters<typeof httpLoad>[0]) =>
  metered(
    env,
    () => httpLoad(load),
    ({ perSecond }) => perSecond * load.seconds,
  )

async function measurePoll(env: BenchEnv): Promise<BenchRow[]> {
  const {
    nodes: [url = ''],
    databaseUrl,
  } = env
  const [session] = await openSessions(databaseUrl, 1)
  const headers = { cookie: session?.cookie ?? '' }
  const first = await call('GET', `${url}/api/inventory?limit=7`, { headers })
  const etag = String(first.headers['etag'])
  const load = { url, connections: 32, seconds: 6 }
  const unchanged = await poll(env, {
    ...load,
    paths: ['/api/inventory?limit=7'],
    headers: { ...headers, 'if-none-match': etag },
  })
  const whole = await poll(env, {
    ...load,
    paths: ['/api/inventory'],
    headers: { ...headers, 'accept-encoding': 'gzip, deflate, br' },
  })
  const control = await poll(env, { ...load, paths: ['/health/live'], headers: {} })
  const line = (figure: string, { value, cost }: typeof control, goal: string) =>
    toRow({ figure, perSecond: value.perSecond, latency: value, goal, note: `${value.errors} errors`, cost })
  return [
    line('unchanged poll (304)', unchanged, '≥ 3,000/s'),
    line('a hundred posts, as a browser takes them', whole, ''),
    line('control: /health/live', control, `ratio ${rounded(unchanged.value.perSecond / control.value.perSecond)}`),
  ]
}

export async function run(env: BenchEnv): Promise<BenchRow[]> {
  const rows: BenchRow[] = []
  for (const size of [...sizes, ...(env.posts === undefined ? [] : [env.posts])])
    rows.push(...(await measureSize(env, size)))
  return [...rows, ...(await measurePoll(env))]
}
