import { appendFile, mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import t from 'tap'
import { startDailyBackup } from '#server/features/backups/backups-daily.service.ts'
import { restoreArchive } from '#server/features/backups/backup-restore.ts'
import type { AuditPage } from '#shared/schemas/audit.ts'
import type { Backup, Backups } from '#shared/schemas/backups.ts'
import type { PostDetail } from '#shared/schemas/posts.ts'
import { type Caller, startApp } from '#tests/support/app.ts'
import { openChat, say } from '#tests/support/chat.ts'
import { publish } from '#tests/support/factories.ts'
import { emptyDatabase } from '#tests/support/services.ts'
import { until } from '#tests/support/wait.ts'

const withinMs = 30_000
const dayMs = 24 * 3_600_000
const isThere = async (path: string) => (await stat(path).catch(() => undefined)) !== undefined

/** Starts one and waits for how it ended. */
async function backUp(admin: Caller): Promise<Backup> {
  const started = await admin.post<Backup>('/api/admin/backups')
  if (started.status !== 202) throw new Error(`the backup was refused: ${started.status}`)
  return until(
    'the end of the backup',
    async () => {
      const { body } = await admin.get<Backups>('/api/admin/backups')
      return body.backups.find(({ id, state }) => id === started.body.id && state !== 'running')
    },
    withinMs,
  )
}

t.test('a backup is restored into an empty database and serves there as it did before', async (t) => {
  const app = await startApp(t)
  const admin = await app.signIn('Lanewire', { role: 'admin' })
  const [seller, buyer] = [await app.signIn('Seller'), await app.signIn('Buyer')]
  const post = await publish(seller, { title: 'Tabs\tand\nlines, "quotes" and Müller' })
  await say(seller, await openChat(seller, buyer), 'Still there?')
  const both = [admin.post<Backup>('/api/admin/backups'), admin.post<Backup>('/api/admin/backups')]
  t.same((await Promise.all(both)).map(({ status }) => status).toSorted(), [202, 409], 'one at a time')
  const { lastVerified } = await until(
    'the backup',
    async () => {
      const { body } = await admin.get<Backups>('/api/admin/backups')
      return body.backups[0]?.state === 'running' ? undefined : body
    },
    withinMs,
  )
  t.match(lastVerified, { state: 'verified', error: null, requestedBy: 'Alex Acme' })
  const folder = lastVerified?.folder ?? ''
  t.equal((await stat(join(folder, 'manifest.json'))).mode & 0o077, 0, 'only for the server: password hashes are in it')
  const audit = await admin.get<AuditPage>('/api/admin/audit?action=backup')
  t.match(audit.body.entries, [{ action: 'backup.start', actorId: admin.id }])

  await t.rejects(restoreArchive(app.services.DATABASE_URL, folder), /not empty/)
  const restored = await emptyDatabase(t)
  await restoreArchive(restored, folder)
  const again = await startApp(
    t,
    {},
    { ...app.services, DATABASE_URL: restored, REDIS_PREFIX: `${app.services.REDIS_PREFIX}r` },
  )
  const { body } = await app.on(again, buyer).get<PostDetail>(`/api/inventory/${post}`)
  t.same(body, (await buyer.get<PostDetail>(`/api/inventory/${post}`)).body, 'also the sessions are there')
  await t.rejects(again.server.ctx.db.deleteFrom('auditLog').execute(), /append-only/, 'triggers are on again')
})

t.test(
  'the daily backup is made when it is due, once, also by a worker that comes late, and only the newest are kept',
  async (t) => {
    const app = await startApp(t)
    const admin = await app.signIn('Lanewire', { role: 'admin' })
    t.equal((await admin.get<Backups>('/api/admin/backups')).body.nextAt, null, 'switched off')
    const byHand = await backUp(admin)
    const now = new Date()
    // The last one that was made is of three days ago.
    await app.server.ctx.db
      .insertInto('backups')
      .values({
        state: 'failed',
        error: 'disk full',
        finishedAt: now,
        scheduledFor: new Date(now.getTime() - 3 * dayMs),
      })
      .execute()
    const env = { BACKUP_HOUR_UTC: String(now.getUTCHours()), BACKUPS_KEPT: '1' }
    await app.server.stop('nobody was there at that hour')
    // Queues of their own: the schedule runs when it is registered, and then every minute.
    const services = { ...app.services, REDIS_PREFIX: `${app.services.REDIS_PREFIX}d` }
    const workers = await Promise.all([startApp(t, env, services), startApp(t, env, services)])
    const [there] = workers.map((worker) => worker.on(worker, admin))
    if (there === undefined) throw new Error('two workers were started')
    const { backups, nextAt, late, lastVerified } = await until(
      'the daily backup',
      async () => {
        const { body } = await there.get<Backups>('/api/admin/backups')
        return body.lastVerified?.daily === true ? body : undefined
      },
      withinMs,
    )
    t.match(lastVerified, { requestedBy: '', daily: true, state: 'verified' })
    const hour = new Date(now).setUTCMinutes(0, 0, 0)
    t.same([nextAt, late], [new Date(hour + dayMs).toISOString(), false], 'the next one is tomorrow at this hour')
    await Promise.all(workers.map(({ server }) => startDailyBackup(server.ctx)))
    t.same((await there.get<Backups>('/api/admin/backups')).body.backups, backups, 'not twice on a day')
    t.equal(backups.find(({ id }) => id === byHand.id)?.folder, null)
    await until('the older folder to go', async () => !(await isThere(byHand.folder ?? '')))
    t.ok(await isThere(lastVerified?.folder ?? ''))
  },
)

t.test('a backup that does not come back equal is refused, and one that fails says why', async (t) => {
  const app = await startApp(t)
  const admin = await app.signIn('Lanewire', { role: 'admin' })
  const { folder } = await backUp(admin)
  const sessions = join(folder ?? '', 'sessions.copy.gz')
  t.ok((await readFile(sessions)).length > 0)
  await writeFile(sessions, gzipSync(''))
  await t.rejects(restoreArchive(await emptyDatabase(t), folder ?? ''), /Table sessions did not come back as it was/)
  const { dataDir } = app.server.ctx.config
  const other = await startApp(t, { DATA_DIR: join(dataDir, 'other') }, app.services)
  await mkdir(join(dataDir, 'other'), { recursive: true })
  await appendFile(join(dataDir, 'other', 'backups'), 'in the way')
  await app.server.stop('the other node takes the job')
  t.match(await backUp(other.on(other, admin)), { state: 'failed', folder: null, error: /backups/ })
  const { body } = await other.on(other, admin).get<Backups>('/api/admin/backups')
  t.match(body.lastVerified, { folder }, 'the older one still counts')
})
