import { sql } from 'kysely'
import t from 'tap'
import { openDb, openPool } from '#server/platform/database/db.ts'
import { testServices } from '#tests/support/services.ts'

t.test('lets a burst wait for connections without refusing statements', async (t) => {
  const { DATABASE_URL } = await testServices(t)
  const pool = openPool(DATABASE_URL, 1, 1_000)
  const db = openDb(pool)
  t.teardown(() => db.destroy())
  // In sequence, the statements take twice the connection timeout.
  const burst = Array.from({ length: 25 }, () => sql`select pg_sleep(0.08)`.execute(db))
  const outcomes = await Promise.allSettled(burst)
  t.same(
    outcomes.filter(({ status }) => status === 'rejected'),
    [],
  )
})
