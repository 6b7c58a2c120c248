import { CamelCasePlugin, type CompiledQuery, Kysely, PostgresDialect } from 'kysely'
import t from 'tap'
import type { DB } from '#server/db/schema.ts'
import { openPool } from '#server/platform/db.ts'
import { claimStrandedEvents } from '#server/platform/outbox.repository.ts'
import { cloneDatabase, execute } from '#tests/support/services.ts'

const jobs = 100_000

interface Plan {
  'Node Type': string
  'Index Name'?: string
  'Relation Name'?: string
  Plans?: Plan[]
}

const stepsOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(stepsOf)]

t.test('what a crash left is found by its index, however many jobs wait', async (t) => {
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
