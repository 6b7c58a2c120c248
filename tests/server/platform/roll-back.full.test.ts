import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import pg from 'pg'
import t from 'tap'
import { migrateToLatest } from '#server/db/migrate.ts'
import type { FailedJobs } from '#shared/schemas/ops.ts'
import { startApp } from '#tests/support/app.ts'
import { aBidder, bid, publishAuction } from '#tests/support/bidding.ts'
import { publish } from '#tests/support/factories.ts'
import { emptyDatabase, program, testServices } from '#tests/support/services.ts'
import { until } from '#tests/support/wait.ts'

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

t.test("starts after a rollback on a newer version's database and does its work", async (t) => {
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
})

t.test("applies its own migrations beside a newer version's in several processes at once", async (t) => {
  const databaseUrl = await emptyDatabase(t)
  await execute(
    databaseUrl,
    `create table kysely_migration (name varchar(255) primary key, timestamp varchar(255) not null);
     insert into kysely_migration (name, timestamp) values ('9999-shoe-size', now()::text)`,
  )
  await Promise.all([migrateToLatest(databaseUrl), migrateToLatest(databaseUrl), migrateToLatest(databaseUrl)])
  await t.resolves(execute(databaseUrl, 'select id from dealers; select id from outbox'))
})

t.test('leaves a database from before the first release unchanged and explains what to do', async (t) => {
  const services = { ...(await testServices(t)), DATABASE_URL: await emptyDatabase(t) }
  await execute(
    services.DATABASE_URL,
    `create table kysely_migration (name varchar(255) primary key, timestamp varchar(255) not null);
     insert into kysely_migration (name, timestamp) values
       ('0001-accounts', now()::text), ('0002-posts', now()::text), ('0117-files', now()::text);
     create table dealers (id uuid primary key)`,
  )
  const server = spawn(process.execPath, program('server/main'), {
    env: { ...process.env, ...services, DEMO: 'on', PORT: '0' },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const [said, [code]] = await Promise.all([text(server.stderr), once(server, 'exit')])
  t.equal(code, 1)
  t.match(said, /^This database was created by Lanewire before its first release/)
  for (const way of ['mv .data ', 'DATABASE_URL', 'rename to']) t.match(said, way)
  t.notMatch(said, /\n\s+at /, 'no stack trace')
  const tables = await execute<{ name: string }>(
    services.DATABASE_URL,
    `select tablename as name from pg_tables where schemaname = 'public' order by 1`,
  )
  const names = tables.map(({ name }) => name)
  t.same(names, ['dealers', 'kysely_migration'], 'nothing is added to it')
  t.same((await execute(services.DATABASE_URL, 'select from kysely_migration')).length, 3)
})

t.test("serves running processes with another version's function and replaces it on start", async (t) => {
  const app = await startApp(t)
  const { DATABASE_URL } = app.services
  const seller = await app.signIn('Seller')
  const [one, two] = [await aBidder(app, 'One'), await aBidder(app, 'Two')]
  const postId = await publishAuction(seller)
  const read = () =>
    execute(DATABASE_URL, `select prosrc, obj_description(oid, 'pg_proc') from pg_proc where proname = 'place_bids'`)
  const own = await read()
  t.equal((await bid(one, postId, 10_000)).status, 201)
  await execute(
    DATABASE_URL,
    `do $do$ begin
       execute replace(pg_get_functiondef('place_bids'::regproc), E'begin\n', E'begin\n  perform 1; -- of a newer version\n');
     end $do$;
     comment on function place_bids is 'of a newer version'`,
  )
  t.notSame(await read(), own)
  t.equal((await bid(two, postId, 10_500)).status, 201)
  await startApp(t, {}, app.services)
  t.same(await read(), own)
  t.equal((await bid(one, postId, 11_000)).status, 201)
})
