import type { BenchEnv, BenchRow } from './support/bench.ts'
import { call } from './support/calls.ts'
import { metered, openSessions, sequence, thousands, toRow, withDatabase } from './support/measure.ts'

export const name = 'The directory and /admin/users'

const size = 100_000
const samples = 200
const firstNames = ['Dana', 'Luis', 'Marcus', 'Priya', 'Tom', 'Grace', 'Omar', 'Jill', 'Pete', 'Ana', 'Wei', 'Kim']
const lastNames = ['Torres', 'Webb', 'Boyle', 'Herrera', 'Novak', 'Singh', 'Olsen', 'Reyes', 'Kovac', 'Lund', 'Marsh']
const houses = ['Auto Group', 'Motors', 'Car Company', 'Wholesale', 'Imports', 'Truck Center', 'Auto Sales']
const places = ['Tulsa,OK', 'Dallas,TX', 'Fresno,CA', 'Toronto,ON', 'Miami,FL', 'Boise,ID', 'Columbus,OH', 'Reno,NV']
const exports = 3
const searches = ['torres', 'wholesale', 'tulsa', 'auto group', 'kovac motors', 'dana w']

async function growTo(databaseUrl: string): Promise<void> {
  await withDatabase(databaseUrl, async (client) => {
    await client.query(
      // Draw each part independently. If names correlated with places, an index scan could read many rows before it finds a match.
      `insert into dealers (email, name, dealership_name, city, state, dealership_type, buys_canadian_vehicles,
         license_number, profile_completed_at, suspended_at, demo)
       select 'bench-' || g || '@dealers.example', ($2::text[])[1 + a % 12] || ' ' || ($3::text[])[1 + b % 11],
         ($3::text[])[1 + b % 11] || ' ' || ($4::text[])[1 + c % 7] || ' ' || c % 997,
         split_part(($5::text[])[1 + d % 8], ',', 1), split_part(($5::text[])[1 + d % 8], ',', 2),
         ('{independent,franchise,wholesaler}'::text[])[1 + d % 3], a % 4 = 0,
         case when g % 100 = 0 then 'L' || g end, now(), case when g % 50 = 0 then now() end, true
       from generate_series(1, greatest(0, $1 - (select count(*)::int from dealers))) g
       cross join lateral (
         select hashint4(g) & 65535 as a, hashint4(g + 1000000) & 65535 as b, hashint4(g + 2000000) & 65535 as c,
           hashint4(g + 3000000) & 65535 as d) drawn`,
      [size, firstNames, lastNames, houses, places],
    )
    await client.query('vacuum analyze dealers')
  })
}

type Path = (index: number, body: unknown) => string

async function measure(env: BenchEnv, cookie: string, figure: string, path: Path) {
  const [url = ''] = env.nodes
  let body: unknown
  const { value, cost } = await metered(
    env,
    () =>
      sequence(samples, async (index) => {
        const where = path(index, body)
        const answer = await call('GET', url + where, { headers: { cookie } })
        if (answer.status !== 200) throw new Error(`${where} answered ${answer.status}`)
        ;({ body } = answer)
      }),
    () => samples,
  )
  return toRow({ figure, times: value, goal: 'p99 ≤ 25', note: `${thousands(size)} dealers`, cost })
}

async function measureExport(env: BenchEnv, cookie: string): Promise<BenchRow> {
  const [url = ''] = env.nodes
  let lines = 0
  const { value, cost } = await metered(
    env,
    () =>
      sequence(exports, async () => {
        const answer = await fetch(`${url}/api/admin/users/export.csv`, { headers: { cookie } })
        lines = (await answer.text()).split('\r\n').length
        if (lines <= size) throw new Error(`the export has only ${lines} lines`)
      }),
    () => exports,
  )
  return toRow({ figure: 'admin users, export', times: value, goal: '', note: `${thousands(lines)} lines`, cost })
}

function nextPage(_index: number, body: unknown): string {
  const cursor = (body as { nextCursor?: string | null } | undefined)?.nextCursor
  return `/api/admin/users?limit=50${cursor ? `&cursor=${cursor}` : ''}`
}

/** Returns a different name for 132 requests in a row, so the server rarely finds a total in its cache. */
const nameAt = (index: number) =>
  encodeURIComponent(`${firstNames[index % firstNames.length]} ${lastNames[index % lastNames.length]}`)

const searched = (index: number) => encodeURIComponent(searches[index % searches.length] ?? '')
const twoLetters = (index: number) => String.fromCodePoint(97 + (index % 26), 97 + (Math.floor(index / 26) % 26))
const stateOf = (index: number) => places[index % places.length]?.split(',')[1] ?? ''

export async function run(env: BenchEnv): Promise<BenchRow[]> {
  const [dealer] = await openSessions(env.databaseUrl, 1)
  const [admin] = await openSessions(env.databaseUrl, 1, 'admin')
  await growTo(env.databaseUrl)
  const who = { dealer: dealer?.cookie ?? '', admin: admin?.cookie ?? '' }
  const cases: [string, string, Path][] = [
    ['directory, first page', who.dealer, (index) => `/api/dealers?limit=${20 + (index % 30)}`],
    ['directory, one state', who.dealer, (index) => `/api/dealers?limit=30&state=${stateOf(index)}`],
    ['directory, by name', who.dealer, (index) => `/api/dealers?limit=30&name=${searched(index)}`],
    ['directory, two letters', who.dealer, (index) => `/api/dealers?limit=30&name=${twoLetters(index)}`],
    ['directory, discover', who.dealer, () => '/api/dealers?limit=30&view=discover'],
    ['recommended sellers', who.dealer, () => '/api/dealers/recommended?limit=3'],
    ['admin users, newest', who.admin, () => '/api/admin/users?limit=50'],
    ['admin users, active', who.admin, () => '/api/admin/users?limit=50&state=active'],
    ['admin users, suspended', who.admin, () => '/api/admin/users?limit=50&state=suspended'],
    ['admin users, license to verify', who.admin, () => '/api/admin/users?limit=50&state=unverified'],
    ['admin users, search', who.admin, (index) => `/api/admin/users?limit=50&q=${searched(index)}`],
    ['admin users, by name', who.admin, (index) => `/api/admin/users?limit=50&q=${nameAt(index)}`],
    ['admin users, by dealership', who.admin, (index) => `/api/admin/users?limit=50&q=group%20${index}`],
    ['admin users, by email', who.admin, (index) => `/api/admin/users?limit=50&q=bench-${index * 7}%40`],
    ['admin users, two letters', who.admin, (index) => `/api/admin/users?limit=50&q=${twoLetters(index)}`],
    ['admin users, page by page', who.admin, nextPage],
    ['admin overview', who.admin, () => '/api/admin/overview'],
  ]
  const rows: BenchRow[] = []
  for (const [figure, cookie, path] of cases) rows.push(await measure(env, cookie, figure, path))
  return [...rows, await measureExport(env, who.admin)]
}
