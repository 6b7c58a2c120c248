import { readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import t from 'tap'
import { writeArchive } from '#server/features/admin/backups/backup-archive.ts'
import { restoreArchive, verifyArchive } from '#server/features/admin/backups/backup-restore.ts'
import type { Backup, Backups } from '#shared/schemas/admin.ts'
import { startApp } from '#tests/support/app.ts'
import { backUp, endOf, smallServices, startSmall } from '#tests/support/backups.ts'
import { proxyTo } from '#tests/support/proxy.ts'
import { emptyDatabase } from '#tests/support/services.ts'
import { until } from '#tests/support/wait.ts'

t.test('does not repeat a backup after its restore and leaves its archive unchanged', async (t) => {
  const app = await startSmall(t)
  const admin = await app.signIn('Lanewire', { role: 'admin' })
  const folder = (await backUp(admin)).folder ?? ''
  const manifest = await readFile(join(folder, 'manifest.json'), 'utf8')
  await app.server.stop('its database is lost')
  const restored = await emptyDatabase(t)
  await restoreArchive(restored, folder)
  const again = await startApp(t, {}, { ...app.services, DATABASE_URL: restored })
  const there = again.on(again, admin)
  t.same((await there.get<Backups>('/api/admin/backups')).body.backups, [], 'no backup runs')
  t.match(await backUp(there), { state: 'verified' })
  t.equal(await readFile(join(folder, 'manifest.json'), 'utf8').catch(() => ''), manifest)
})

t.test('backs up and restores a database whose URL names the host in a parameter', async (t) => {
  const { DATABASE_URL } = await smallServices(t)
  const { protocol, username, password, hostname, port, pathname } = new URL(DATABASE_URL)
  const databaseUrl = `${protocol}//${username}:${password}@${pathname}?host=${hostname}&port=${port}`
  const folder = t.testdir()
  const { tables } = await writeArchive(databaseUrl, folder)
  t.same((await verifyArchive(databaseUrl, folder)).tables, tables)
})

t.test('fails a backup if PostgreSQL goes away during it, and allows another one', async (t) => {
  const services = await smallServices(t)
  const postgres = await proxyTo(t, services.DATABASE_URL)
  const app = await startSmall(t, {}, { ...services, DATABASE_URL: postgres.url })
  const admin = await app.signIn('Lanewire', { role: 'admin' })
  const { status, body } = await admin.post<Backup>('/api/admin/backups')
  t.equal(status, 202)
  const backups = join(resolve(app.server.ctx.config.dataDir), 'backups')
  await until('the dump to start', async () => (await readdir(backups).catch(() => [])).length > 0)
  postgres.cut()
  await until('the unfinished files to be deleted', async () => (await readdir(backups)).length === 0)
  postgres.heal()
  t.match(await endOf(admin, body), { state: 'failed', error: String, folder: null })
  t.match(await backUp(admin), { state: 'verified' })
})
