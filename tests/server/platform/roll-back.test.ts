import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import t from 'tap'
import { migrateToLatest } from '#server/db/migrate.ts'
import { migrations } from '#server/db/migrations/index.ts'
import { openPool } from '#server/platform/database/db.ts'
import { cloneDatabase } from '#tests/support/services.ts'

async function execute<Row extends pg.QueryResultRow>(databaseUrl: string, statements: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rows } = await client.query<Row>(statements)
    return rows
  } finally {
    await client.end()
  }
}

t.test('can undo every migration, last one first', async (t) => {
  const databaseUrl = await cloneDatabase(t)
  const db = new Kysely<unknown>({
    dialect: new PostgresDialect({ pool: openPool(databaseUrl, 1, 20_000) }),
  })
  t.teardown(() => db.destroy())
  for (const [, { down }] of Object.entries(migrations).toReversed()) await down?.(db)
  const left = await execute<{ name: string }>(
    databaseUrl,
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'S')
     union all select proname from pg_proc where pronamespace = 'public'::regnamespace order by 1`,
  )
  t.same(
    left.map(({ name }) => name),
    [
      'day_use',
      'is_object_visible',
      'is_suspended',
      'known_zone',
      'kysely_migration',
      'kysely_migration_lock',
      'place_bids',
      'place_of',
      'refresh_find',
      'store_messages',
      'word_key',
    ],
    'except for the list of migrations and the functions, which every version reinstalls',
  )
})

t.test('leaves existing functions and those of other versions alone', async (t) => {
  const databaseUrl = await cloneDatabase(t)
  await execute(databaseUrl, `create function shoe_size() returns integer language sql as 'select 43'`)
  const read = () =>
    execute(databaseUrl, `select proname, xmin from pg_proc where pronamespace = 'public'::regnamespace`)
  const before = await read()
  await Promise.all([migrateToLatest(databaseUrl), migrateToLatest(databaseUrl)])
  t.same(await read(), before)
})
