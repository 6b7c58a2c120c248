import { sql } from 'kysely'
import t from 'tap'
import { migrateToLatest } from '#server/db/migrate.ts'
import { openDb, openPool } from '#server/platform/database/db.ts'
import type { Backup, Backups } from '#shared/schemas/admin.ts'
import { startApp } from '#tests/support/app.ts'
import { publish } from '#tests/support/factories.ts'
import { startPgBouncer, withoutPgBouncer } from '#tests/support/pgbouncer.ts'
import { cloneDatabase, emptyDatabase, testServices, withoutPatience } from '#tests/support/services.ts'
import { until } from '#tests/support/wait.ts'

const skip = withoutPgBouncer

const settings = sql<Record<string, string | null>>`select current_setting('statement_timeout') as statement,
  current_setting('idle_in_transaction_session_timeout') as idle, current_setting('lanewire.billing', true) as billing`

t.test('applies the settings to every session of a pool', async (t) => {
  const databaseUrl = withoutPatience(await cloneDatabase(t))
  for (const billing of [true, false]) {
    const db = openDb(openPool(databaseUrl, 2, 20_000, { billing }))
    const both = await Promise.all(
      [1, 2].map(() => db.connection().execute(async (one) => (await settings.execute(one)).rows[0])),
    )
    for (const found of both) t.match(found, { statement: '5s', idle: '10s', billing: billing ? null : 'off' })
    await db.destroy()
  }
})

t.test('works behind PgBouncer in session mode', { skip }, async (t) => {
  const services = await testServices(t)
  const DATABASE_URL = await startPgBouncer(t, services.DATABASE_URL, 'session')
  const app = await startApp(t, { BILLING: 'off' }, { ...services, DATABASE_URL })
  t.match((await settings.execute(app.server.ctx.db)).rows, [{ statement: '5s', idle: '10s', billing: 'off' }])
  const [seller, admin] = [await app.signIn(), await app.signIn('Lanewire', { role: 'admin' })]
  await publish(seller)
  t.equal((await seller.get('/api/find')).status, 200, 'a prepared statement of the session')
  const { body: begun } = await admin.post<Backup>('/api/admin/backups')
  const made = await until('the backup', async () => {
    const { body } = await admin.get<Backups>('/api/admin/backups')
    return body.backups.find(({ id, state }) => id === begun.id && state !== 'running')
  })
  t.match(made, { state: 'verified', error: null })
})

t.test('refuses a pooler that shares sessions in one sentence before changing anything', { skip }, async (t) => {
  const databaseUrl = await emptyDatabase(t)
  for (const [poolMode, more] of [
    ['transaction', ''],
    ['transaction', 'server_round_robin = 1\nmin_pool_size = 2'],
    ['transaction', 'default_pool_size = 1'],
    ['statement', ''],
  ] as const) {
    const pooled = await startPgBouncer(t, databaseUrl, poolMode, more)
    const sentence = /^DATABASE_URL leads to a pooler that shares one session .+: set pool_mode = session$/
    await t.rejects(migrateToLatest(pooled), { name: 'Error', message: sentence }, `${poolMode} ${more}`)
  }
  const db = openDb(openPool(databaseUrl, 1, 20_000))
  t.same((await sql`select from pg_class where relnamespace = 'public'::regnamespace`.execute(db)).rows, [])
  await db.destroy()
})
