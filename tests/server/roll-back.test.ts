import pg from 'pg'
import t from 'tap'
import { migrateToLatest } from '#server/db/migrate.ts'
import type { FailedJobs } from '#shared/schemas/ops.ts'
import { startApp } from '#tests/support/app.ts'
import { publish } from '#tests/support/factories.ts'
import { emptyDatabase, testServices } from '#tests/support/services.ts'
import { until } from '#tests/support/wait.ts'

async function execute(databaseUrl: string, statements: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query(statements)
  } finally {
    await client.end()
  }
}

t.test(
  'rolled back to, it starts beside what a newer version left in the database and does its own work',
  async (t) => {
    const services = await testServices(t)
    await execute(
      services.DATABASE_URL,
      `alter table dealers add column shoe_size integer;
     insert into kysely_migration (name, timestamp) values ('9999-shoe-size', now()::text);
     insert into outbox (kind, name, payload) values ('job', 'shoes.measure', '{}')`,
    )
    const app = await startApp(t, {}, services)
    await publish(await app.signIn('Seller'))
    const ops = await app.signIn('Lanewire', { role: 'ops' })
    const failed = await until('the failure of the job that it does not know', async () => {
      const { body } = await ops.get<FailedJobs>('/api/ops/jobs/failed?queue=default')
      return body.jobs.length > 0 ? body : undefined
    })
    t.match(failed, { total: 1, jobs: [{ name: 'shoes.measure', error: 'no handler for shoes.measure' }] })
  },
)

t.test('several processes at once apply its own migrations beside those of a newer version', async (t) => {
  const databaseUrl = await emptyDatabase(t)
  await execute(
    databaseUrl,
    `create table kysely_migration (name varchar(255) primary key, timestamp varchar(255) not null);
     insert into kysely_migration (name, timestamp) values ('9999-shoe-size', now()::text)`,
  )
  await Promise.all([migrateToLatest(databaseUrl), migrateToLatest(databaseUrl), migrateToLatest(databaseUrl)])
  await t.resolves(execute(databaseUrl, 'select id from dealers; select id from outbox'))
})
