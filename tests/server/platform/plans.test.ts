import { CamelCasePlugin, type CompiledQuery, Kysely, PostgresDialect, sql } from 'kysely'
import t from 'tap'
import type { DB } from '#server/db/schema.ts'
import { openDb, openPool, planKept } from '#server/platform/database/db.ts'
import { claimStrandedEvents } from '#server/platform/jobs/outbox.repository.ts'
import { cloneDatabase, execute } from '#tests/support/services.ts'

const jobs = 100_000

interface Plan {
  'Node Type': string
  'Index Name'?: string
  'Relation Name'?: string
  Plans?: Plan[]
}

const stepsOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(stepsOf)]

t.test('finds leftovers of a crash by index, however many jobs wait', async (t) => {
  const databaseUrl = await cloneDatabase(t)
  const pool = openPool(databaseUrl, 1, 20_000)
  const asked: CompiledQuery[] = []
  const db = new Kysely<DB>({
    dialect: new PostgresDialect({ pool }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
    log: ({ query }) => void asked.push(query),
  })
  t.teardown(() => db.destroy())
  await execute(
    `insert into outbox (kind, name, payload, run_at)
      select 'job', 'auction.close', '{}', now() + n * interval '1 second' from generate_series(1, ${jobs}) n;
    insert into outbox (kind, name, payload, run_at)
      select 'event', 'auction.changed', '{}', now() - interval '1 minute' from generate_series(1, 3);
    analyze outbox`,
    databaseUrl,
  )
  const found = await db.transaction().execute((tx) => claimStrandedEvents(tx, 1_000, 500))
  t.equal(found.length, 3)
  const claim = asked.find(({ sql }) => sql.startsWith('delete'))
  const { rows } = await pool.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(`explain (format json) ${claim?.sql}`, [
    ...(claim?.parameters ?? []),
  ])
  const steps = rows.flatMap((row) => row['QUERY PLAN']).flatMap(({ Plan }) => stepsOf(Plan))
  t.ok(steps.some((step) => step['Index Name'] === 'outbox_due'))
  t.same(
    steps.filter((step) => step['Node Type'] === 'Seq Scan'),
    [],
  )
})

t.test('plans a statement once per connection and still answers correctly after table changes', async (t) => {
  const db = openDb(openPool(await cloneDatabase(t), 1, 20_000))
  t.teardown(() => db.destroy())
  const nameOf = async (id: number) => {
    const row = await db
      .selectFrom('findWords')
      .modifyFront(planKept)
      .select('label')
      .where('id', '=', id)
      .executeTakeFirst()
    return row?.label
  }
  const add = (label: string) =>
    db
      .insertInto('findWords')
      .values({ kind: 'make', parentId: 0, key: label, label })
      .returning('id')
      .executeTakeFirstOrThrow()
  const [{ id: one }, { id: other }] = [await add('saab'), await add('lancia')]
  for (let turn = 0; turn < 8; turn++) t.same([await nameOf(one), await nameOf(other)], ['saab', 'lancia'])
  await sql`alter table find_words add column nickname text; analyze find_words`.execute(db)
  t.same([await nameOf(one), await nameOf(other), await nameOf(-1)], ['saab', 'lancia', undefined])
  await t.rejects(sql`select ${planKept} 1 / (${0}::int)`.execute(db), /division by zero/)
  t.equal(await nameOf(other), 'lancia')
  const { rows } = await sql<{ calls: number }>`
    select (generic_plans + custom_plans)::int as calls from pg_prepared_statements where statement like '%find_words%'`.execute(
    db,
  )
  t.same(rows, [{ calls: 20 }], 'one statement with this many calls')
})
