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
const searches = ['torres', 'wholesale', 'tulsa', 'auto group', 'kovac motors', 'dana w']

/** Fills up to `size` dealers with profiles; one in fifty is suspended, one in a hundred waits for its licence. */
async function growTo(databaseUrl: string): Promise<void> {
  await withDatabase(databaseUrl, async (client) => {
    await client.query(
      // Each part is drawn by itself: names that go with places would let an index scan find nothing for long.
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

async function measure(env: BenchEnv, cookie: string, figure: string, path: (index: number) => string) {
  const [url = ''] = env.nodes
  const { value, cost } = await metered(
    env,
    () =>
      sequence(samples, async (index) => {
        const { status } = await call('GET', url + path(index), { headers: { cookie } })
        if (status !== 200) throw new Error(`${path(index)} answered ${status}`)
      }),
    () => samples,
  )
  return toRow({ figure, times: value, goal: 'p99 ≤ 25', note: `${thousands(size)} dealers`, cost })
}

const searched = (index: number) => encodeURIComponent(searches[index % searches.length] ?? '')
const stateOf = (index: number) => places[index % places.length]?.split(',')[1] ?? ''

export async function run(env: BenchEnv): Promise<BenchRow[]> {
  const [dealer] = await openSessions(env.databaseUrl, 1)
  const [admin] = await openSessions(env.databaseUrl, 1, 'admin')
  await growTo(env.databaseUrl)
  const cases: [string, string, (index: number) => string][] = [
    ['directory, first page', dealer?.cookie ?? '', (index) => `/api/dealers?limit=${20 + (index % 30)}`],
    ['directory, one state', dealer?.cookie ?? '', (index) => `/api/dealers?limit=30&state=${stateOf(index)}`],
    ['directory, by name', dealer?.cookie ?? '', (index) => `/api/dealers?limit=30&name=${searched(index)}`],
    ['directory, discover', dealer?.cookie ?? '', () => '/api/dealers?limit=30&view=discover'],
    ['recommended sellers', dealer?.cookie ?? '', () => '/api/dealers/recommended?limit=3'],
    ['admin users, newest', admin?.cookie ?? '', () => '/api/admin/users?limit=50'],
    ['admin users, active', admin?.cookie ?? '', () => '/api/admin/users?limit=50&state=active'],
    ['admin users, suspended', admin?.cookie ?? '', () => '/api/admin/users?limit=50&state=suspended'],
    ['admin users, search', admin?.cookie ?? '', (index) => `/api/admin/users?limit=50&q=${searched(index)}`],
  ]
  const rows: BenchRow[] = []
  for (const [figure, cookie, path] of cases) rows.push(await measure(env, cookie, figure, path))
  return rows
}
