import type { BenchEnv, BenchRow } from './bench.ts'
import { httpLoad, openSessions, percentile, rounded, sequence, thousands, withDatabase } from './measure.ts'

export const name = 'Feed page, search and the unchanged poll'

const sizes = [10_000, 200_000]
const samples = 300
const searches = ['ford f-150', 'tulsa', 'camry hybrid', '1FTFW1E53', 'silverado crew']

/** Fills up to `size` posts by copying the seeded ones, with their vehicles, over the last year. */
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

async function readTimes(url: string, cookie: string, path: (index: number) => string): Promise<number[]> {
  return sequence(samples, async (index) => {
    const response = await fetch(url + path(index), { headers: { cookie } })
    if (!response.ok) throw new Error(`${path(index)} answered ${response.status}`)
    await response.arrayBuffer()
  })
}

async function measureSize({ nodes: [url = ''], databaseUrl }: BenchEnv, size: number): Promise<BenchRow[]> {
  await growTo(databaseUrl, size)
  const [session] = await openSessions(databaseUrl, 1)
  const cookie = session?.cookie ?? ''
  // A limit no other sample uses keeps the one-second page cache out of the figure.
  const uncached = (index: number) => 20 + (index % 60)
  const cases: [string, (index: number) => string][] = [
    ['first page, recent', (index) => `/api/inventory?limit=${uncached(index)}`],
    ['first page, hottest', (index) => `/api/inventory?sort=hottest&limit=${uncached(index)}`],
    ['first page, auction promo', (index) => `/api/inventory?sort=auction-promo&limit=${uncached(index)}`],
    [
      'search',
      (index) =>
        `/api/inventory?limit=${uncached(index)}&search=${encodeURIComponent(searches[index % searches.length] ?? '')}`,
    ],
  ]
  const rows: BenchRow[] = []
  for (const [what, path] of cases) {
    const times = await readTimes(url, cookie, path)
    rows.push({
      figure: what,
      posts: thousands(size),
      'p50 ms': rounded(percentile(times, 0.5)),
      'p99 ms': rounded(percentile(times, 0.99)),
      goal: 'p99 ≤ 25 ms',
    })
  }
  return rows
}

async function measurePoll({ nodes: [url = ''], databaseUrl }: BenchEnv): Promise<BenchRow[]> {
  const [session] = await openSessions(databaseUrl, 1)
  const cookie = session?.cookie ?? ''
  const first = await fetch(`${url}/api/inventory?limit=7`, { headers: { cookie } })
  const etag = first.headers.get('etag') ?? ''
  await first.arrayBuffer()
  const load = { url, connections: 32, seconds: 8 }
  const poll = await httpLoad({
    ...load,
    paths: ['/api/inventory?limit=7'],
    headers: { cookie, 'if-none-match': etag },
  })
  const control = await httpLoad({ ...load, paths: ['/health/live'], headers: {} })
  return [
    {
      figure: 'unchanged poll (304)',
      'per second': poll.perSecond,
      'p99 ms': poll.p99,
      errors: poll.errors,
      goal: '≥ 3,000/s',
    },
    {
      figure: 'control: /health/live',
      'per second': control.perSecond,
      'p99 ms': control.p99,
      errors: control.errors,
      goal: `ratio ${rounded(poll.perSecond / control.perSecond)}`,
    },
  ]
}

export async function run(env: BenchEnv): Promise<BenchRow[]> {
  const rows: BenchRow[] = []
  for (const size of sizes) rows.push(...(await measureSize(env, size)))
  return [...rows, ...(await measurePoll(env))].map((row) => ({
    figure: '',
    posts: '',
    'p50 ms': '',
    'p99 ms': '',
    'per second': '',
    errors: '',
    goal: '',
    ...row,
  }))
}
