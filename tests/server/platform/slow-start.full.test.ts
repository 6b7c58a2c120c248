import t, { type Test } from 'tap'
import { connectAlone } from '#server/features/admin/backups/backup-tables.repository.ts'
import { startNode } from '#tests/support/node-process.ts'
import { testServices, withoutPatience } from '#tests/support/services.ts'
import { until } from '#tests/support/wait.ts'

async function impatientServices(t: Test) {
  const services = await testServices(t)
  return { ...services, DATABASE_URL: withoutPatience(services.DATABASE_URL) }
}

/** Locks a table, so that statements that read it time out. */
async function holdTable(t: Test, databaseUrl: string, table: string) {
  const [holder, watcher] = [await connectAlone(databaseUrl), await connectAlone(databaseUrl)]
  t.teardown(() => Promise.all([holder.end(), watcher.end()]))
  await holder.query(`begin; lock table ${table} in access exclusive mode`)
  return { watcher, release: () => holder.query('rollback') }
}

t.test('survives a slow check for the first admin and prints the link later', async (t) => {
  const services = await impatientServices(t)
  const held = await holdTable(t, services.DATABASE_URL, 'first_admin')
  const node = await startNode(t, services, { LOG_LEVEL: 'warn' })
  await until('the look to be given up', () => node.readLog().includes('whether there is an admin'))
  await until('it to be ready', async () => (await fetch(`${node.url}/health/ready`)).ok)
  t.notMatch(node.readLog(), /\/setup#token=/)
  await held.release()
  await until('the link', () => /\/setup#token=[\w-]+/.test(node.readLog()))
})

t.test('starts once a slow check for demo accounts is answered', async (t) => {
  const services = await impatientServices(t)
  const held = await holdTable(t, services.DATABASE_URL, 'dealers')
  const started = startNode(t, services, { DEMO: 'off', LOG_LEVEL: 'warn' })
  const begun = new Set<string>()
  await until('the look to be given up and repeated', async () => {
    const { rows } = await held.watcher.query<{ begun: string }>(
      `select query_start::text as begun from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock' and query like '%"demo" = %'`,
    )
    for (const row of rows) begun.add(row.begun)
    return begun.size > 1
  })
  await held.release()
  const { url } = await started
  await until('it to be ready', async () => (await fetch(`${url}/health/ready`)).ok)
})
