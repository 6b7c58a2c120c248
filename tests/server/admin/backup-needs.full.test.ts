import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { migrateToLatest } from '#server/db/migrate.ts'
import { listBackupFaults } from '#server/features/admin/backups/backup-needs.ts'
import { startApp } from '#tests/support/app.ts'
import { backUp } from '#tests/support/backups.ts'
import { aRole, databaseNameOf } from '#tests/support/database-role.ts'
import { mailNow, mailTo } from '#tests/support/mail.ts'
import { startNode } from '#tests/support/node-process.ts'
import { emptyDatabase, execute, testEnvironment, testServices } from '#tests/support/services.ts'
import { mountSmallDisk } from '#tests/support/small-disk.ts'
import { until } from '#tests/support/wait.ts'

const { folder: small, skip } = await mountSmallDisk(t, 64)

t.test('names the missing rights of a backup role at the start, and in the notification and mail', async (t) => {
  const databaseUrl = await emptyDatabase(t)
  const { role, url } = await aRole(t, databaseUrl)
  await execute(`alter database ${databaseNameOf(databaseUrl)} owner to ${role}`)
  await migrateToLatest(url)
  await execute('delete from postal_places where id > 100', databaseUrl)
  const services = { ...(await testServices(t)), DATABASE_URL: url }
  const app = await startApp(t, { ROLES: 'api,rt' }, services)
  const admin = await app.signIn('Lanewire', { role: 'admin' })
  const { email } = (await admin.get<{ email: string }>('/api/auth/me')).body
  const node = await startNode(t, services, {
    ROLES: 'api,rt,worker',
    LOG_LEVEL: 'error',
    BACKUP_HOUR_UTC: String((new Date().getUTCHours() + 12) % 24),
  })
  await until('the log line', () => node.readLog().includes('createdb'))
  const there = app.on(node, admin)
  const error = `The role "${role}" in DATABASE_URL cannot create the scratch database used to verify backups. As a superuser, run alter role "${role}" createdb`
  t.match(await backUp(there), { state: 'failed', error })
  await mailNow(app)
  t.match(await mailTo(app, email, /A backup failed/), { text: /in DATABASE_URL cannot create the scratch database/ })
  await execute(`alter role ${role} createdb`)
  t.match(await backUp(there), { state: 'verified', error: null })
})

t.test('names tables of another role with their owner', async (t) => {
  const { DATABASE_URL } = await testServices(t)
  const { role, url } = await aRole(t, DATABASE_URL)
  await execute(`alter role ${role} createdb; grant select on all tables in schema public to ${role}`, DATABASE_URL)
  const owner = new URL(testEnvironment('TEST_DATABASE_URL')).username
  t.same(await listBackupFaults(url, t.testdir(), undefined), [
    `Tables belong to "${owner}", not to the role "${role}" in DATABASE_URL. As a superuser, run reassign owned by "${owner}" to "${role}"`,
  ])
})

t.test(
  'names a disk without space for the next backup, and a backup folder that the server cannot write to',
  { skip },
  async (t) => {
    const { DATABASE_URL } = await testServices(t)
    const folder = join(small, 'backups')
    t.match(await listBackupFaults(DATABASE_URL, folder, undefined), [
      new RegExp(`^A backup needs \\d+ MiB in ${folder} in DATA_DIR, but only 1 MiB are free\\. Free up space`),
    ])
    t.same(await listBackupFaults(DATABASE_URL, folder, 1_024), [], 'the last backup was this small')
    await writeFile(join(small, 'file'), '')
    t.match(await listBackupFaults(DATABASE_URL, join(small, 'file', 'backups'), 1), [
      /^Backups cannot be written to .+ in DATA_DIR \(ENOTDIR\)$/,
    ])
  },
)
