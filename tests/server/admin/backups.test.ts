import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import t from 'tap'
import { type Manifest, writeArchive } from '#server/features/admin/backups/backup-archive.ts'
import { dump } from '#server/features/admin/backups/backup-dump.ts'
import { startDailyBackup } from '#server/features/admin/backups/backups-daily.service.ts'
import { sweepBackups } from '#server/features/admin/backups/backups.service.ts'
import { restoreArchive } from '#server/features/admin/backups/backup-restore.ts'
import { connectAlone } from '#server/features/admin/backups/backup-tables.repository.ts'
import type { AuditPage, Backup, Backups } from '#shared/schemas/admin.ts'
import type { NotificationsPage } from '#shared/schemas/notifications.ts'
import type { PostDetail } from '#shared/schemas/posts.ts'
import { startApp } from '#tests/support/app.ts'
import { backUp, endOf, smallServices, startSmall } from '#tests/support/backups.ts'
import { openChat, say } from '#tests/support/chat.ts'
import { publish } from '#tests/support/factories.ts'
import { untilBlocked } from '#tests/support/locks.ts'
import { emptyDatabase, execute } from '#tests/support/services.ts'
import { until } from '#tests/support/wait.ts'

const dayMs = 24 * 3_600_000
const isThere = async (path: string) => (await stat(path).catch(() => undefined)) !== undefined

// Text that SQL, psql commands or COPY could misread.
const awkward = `It's 5" wide; see C:\\lots\\new\\;
\\restrict nothing
-- 'no comment;
\\.
'';\ttab, \\' and Müller`

async function edit(file: string, change: (text: string) => string): Promise<void> {
  await writeFile(file, gzipSync(change(gunzipSync(await readFile(file)).toString())))
}

const tableOf = ({ tables }: Manifest, name: string) => tables.find((table) => table.name === name)

t.test('a backup is restored into an empty database and serves there as it did before', async (t) => {
  const app = await startSmall(t)
  const admin = await app.signIn('Lanewire', { role: 'admin', name: '' })
  const [seller, buyer] = [await app.signIn('Seller'), await app.signIn('Buyer')]
  const post = await publish(seller, { title: 'Tabs\tand\nlines, "quotes" and Müller' })
  const chat = await openChat(seller, buyer)
  const said = await say(seller, chat, awkward)
  t.equal(said.body.content, awkward)
  // As left by a newer version that was rolled back.
  const { db } = app.server.ctx
  await sql`alter table dealers add column shoe_size integer default 44`.execute(db)
  await sql`insert into kysely_migration (name, timestamp) values ('9999-shoe-size', now()::text)`.execute(db)
  const both = [admin.post<Backup>('/api/admin/backups'), admin.post<Backup>('/api/admin/backups')]
  t.same(
    (await Promise.all(both)).map(({ status }) => status).toSorted((a, b) => a - b),
    [202, 409],
    'one at a time',
  )
  const [begun] = (await admin.get<Backups>('/api/admin/backups')).body.backups
  const backup = await endOf(admin, begun ?? { id: '' })
  t.match(
    backup,
    { state: 'verified', error: null, requestedBy: /@test\.example$/ },
    'who has no name, by their address',
  )
  const folder = backup.folder ?? ''
  const files = (await readdir(folder)).toSorted()
  t.same(files, ['1-pre-data.sql.gz', '2-data.sql.gz', '3-post-data.sql.gz', 'manifest.json'])
  for (const file of files)
    t.equal((await stat(join(folder, file))).mode & 0o077, 0, 'only for the server: password hashes are in it')
  const audit = await admin.get<AuditPage>('/api/admin/audit?action=backup')
  t.match(audit.body.entries, [{ action: 'backup.start', actorId: admin.id, actorName: backup?.requestedBy }])

  await t.rejects(restoreArchive(app.services.DATABASE_URL, folder), /not empty/)
  const restored = await emptyDatabase(t)
  for (const file of files.slice(0, 3))
    await edit(join(folder, file), (text) => `\\restrict aKey\n\n${text}\n\\unrestrict aKey\n`)
  t.match(await restoreArchive(restored, folder), {
    migration: '9999-shoe-size',
    versions: { pgDump: /^18/, server: /^18/ },
  })
  const again = await startApp(
    t,
    { ROLES: 'api,rt' },
    { ...app.services, DATABASE_URL: restored, REDIS_PREFIX: `${app.services.REDIS_PREFIX}r` },
  )
  const { body } = await app.on(again, buyer).get<PostDetail>(`/api/inventory/${post}`)
  t.same(body, (await buyer.get<PostDetail>(`/api/inventory/${post}`)).body, 'also the sessions are there')
  const messages = again.server.ctx.db.selectFrom('messages').select('content').where('id', '=', said.body.id)
  t.same(await messages.execute(), [{ content: awkward }], 'to the letter')
  const shoes = sql<{ size: number }>`select distinct shoe_size as size from dealers`
  t.same((await shoes.execute(again.server.ctx.db)).rows, [{ size: 44 }], 'with what this version does not know')
  await t.rejects(again.server.ctx.db.deleteFrom('auditLog').execute(), /append-only/, 'triggers are on again')

  // Rejects a restore that differs from the backup, and reports why it failed.
  const empty = await emptyDatabase(t)
  await edit(join(folder, '2-data.sql.gz'), (text) => text.replace(/^INSERT INTO public.sessions [^;]*;$/m, ''))
  await t.rejects(restoreArchive(empty, folder), /Table sessions was not restored correctly: 3 rows, now 0/)
  const bare = await emptyDatabase(t)
  await edit(join(folder, '3-post-data.sql.gz'), (text) => `${text}\nselect broken;`)
  await t.rejects(restoreArchive(bare, folder), /column "broken" does not exist/)
  await writeFile(join(folder, 'manifest.json'), JSON.stringify({ format: 1 }))
  await t.rejects(restoreArchive(bare, folder), /format 1.*\(commit 88e6c70\)/)

  const program = resolve(app.server.ctx.config.dataDir, 'pg_dump')
  const other = await startApp(
    t,
    { DATA_DIR: `${app.server.ctx.config.dataDir}/other`, PG_DUMP: program },
    app.services,
  )
  await app.server.stop('the other node takes the job')
  const elsewhere = other.on(other, admin)
  t.match(await backUp(elsewhere), { state: 'failed', folder: null, error: /PG_DUMP does not start.*ENOENT/ })
  await writeFile(program, '#!/bin/sh\necho "pg_dump: error: server version mismatch" >&2; exit 1\n', { mode: 0o755 })
  t.match(await backUp(elsewhere), { state: 'failed', error: 'pg_dump: error: server version mismatch' })
  t.match((await elsewhere.get<Backups>('/api/admin/backups')).body.lastVerified, { folder }, 'the older one counts')
  const told = (await elsewhere.get<NotificationsPage>('/api/notifications')).body.items
  t.match(told, [
    { title: 'A backup failed', body: 'pg_dump: error: server version mismatch', path: '/admin' },
    { title: 'A backup failed', body: /PG_DUMP does not start/ },
  ])
  t.equal(told.length, 2, 'of each that failed once, and of no other')
})

t.test('a process that stops in the middle of a backup breaks it off, and the next one makes it', async (t) => {
  const app = await startSmall(t)
  const admin = await app.signIn('Lanewire', { role: 'admin' })
  const { status, body } = await admin.post<Backup>('/api/admin/backups')
  t.equal(status, 202)
  const backups = join(resolve(app.server.ctx.config.dataDir), 'backups')
  await until('the dump to begin', async () => (await readdir(backups).catch(() => [])).length > 0)
  await app.server.stop('a deploy')
  t.same(await readdir(backups), [], 'what was written by then is taken away')
  const next = await startApp(t, {}, app.services)
  t.match(await endOf(next.on(next, admin), body), { state: 'verified', error: null })
})

t.test(
  'the daily backup is made when it is due, once, also by a worker that comes late, and only the newest are kept',
  async (t) => {
    const app = await startSmall(t)
    const admin = await app.signIn('Lanewire', { role: 'admin' })
    t.equal((await admin.get<Backups>('/api/admin/backups')).body.nextAt, null, 'switched off')
    const byHand = await backUp(admin)
    const now = new Date()
    // The last successful backup is three days old.
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
    // Separate queues: the schedule runs at once when registered, then every minute.
    const services = { ...app.services, REDIS_PREFIX: `${app.services.REDIS_PREFIX}d` }
    const workers = await Promise.all([startApp(t, env, services), startApp(t, env, services)])
    const [there] = workers.map((worker) => worker.on(worker, admin))
    if (there === undefined) throw new Error('two workers were started')
    const { backups, nextAt, late, lastVerified } = await until('the daily backup', async () => {
      const { body } = await there.get<Backups>('/api/admin/backups')
      return body.lastVerified?.daily === true ? body : undefined
    })
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

t.test('the dump is made by PG_DUMP, as of the moment at which the tables were read', async (t) => {
  const { DATABASE_URL: databaseUrl } = await smallServices(t)
  const folder = t.testdir({ pg_dump: '' })
  const [program, archive] = [join(folder, 'pg_dump'), join(folder, 'archive')]
  const script = `#!/bin/sh
echo "-- Dumped by pg_dump version 18.9 (native)"
echo "$PGDATABASE $PGHOST:$PGPORT $PGUSER $PGPASSWORD $PGSSLMODE $@"`
  await writeFile(program, script)
  await chmod(program, 0o755)
  const [writer, watcher] = [await connectAlone(databaseUrl), await connectAlone(databaseUrl)]
  await writer.query('begin; lock table sessions; create table shoes (size integer)')
  await writer.query(`update add_ons set name = name || ' of tomorrow'; insert into shoes values (44)`)
  const before = writeArchive(databaseUrl, archive, { pgDump: program })
  await untilBlocked(watcher, 'copy (%')
  await writer.query('commit')
  t.match(await before, { versions: { pgDump: '18.9 (native)' } })
  const { pathname, host, username, password } = new URL(databaseUrl)
  const dumped = gunzipSync(await readFile(join(archive, '2-data.sql.gz'))).toString()
  t.match(
    dumped,
    `${pathname.slice(1)} ${host} ${username} ${password} disable --no-password --no-owner --no-privileges`,
  )
  t.match(dumped, /--inserts --rows-per-insert=\d+ --snapshot=\S+ --section=data\n$/)
  const after = await writeArchive(databaseUrl, archive, { pgDump: program })
  t.notSame(tableOf(after, 'add_ons'), tableOf(await before, 'add_ons'), 'what came later is in the next one only')
  t.same([tableOf(await before, 'shoes'), tableOf(after, 'shoes')?.rows], [undefined, 1])
  await Promise.all([writer.end(), watcher.end()])
})

t.test('the bundled pg_dump says what it cannot do', async (t) => {
  const { DATABASE_URL: databaseUrl } = await smallServices(t)
  const folder = t.testdir()
  const small = writeArchive(databaseUrl, folder, { largestBytes: 1 })
  await t.rejects(small, /too large for the bundled pg_dump: set PG_DUMP to a pg_dump version 18/)
  const order = { databaseUrl, pgDump: undefined, file: join(folder, 'dump.gz') }
  await t.rejects(dump({ ...order, args: ['--snapshot=none'] }), /^pg_dump: error: .*invalid snapshot identifier/)
  const [holder, watcher] = [await connectAlone(databaseUrl), await connectAlone(databaseUrl)]
  await holder.query('begin; lock table dealers')
  const lost = t.rejects(dump({ ...order, args: [] }), /^pg_dump: the connection to the server was lost$/)
  const pid = await untilBlocked(watcher, 'LOCK TABLE%')
  await watcher.query('select pg_terminate_backend($1)', [pid])
  await lost
  await Promise.all([holder.end(), watcher.end()])
})

t.test('what killed backups have left is taken away, and nothing that is in use or whole', async (t) => {
  const app = await startSmall(t)
  const admin = await app.signIn('Lanewire', { role: 'admin' })
  const { folder, id } = await backUp(admin)
  const backups = join(resolve(app.server.ctx.config.dataDir), 'backups')
  // As after a restore from an older backup: this database knows of no complete backup.
  const unheard = join(backups, 'lanewire-2020-01-01T00-00-00-aaaaaaaa')
  const broken = join(backups, 'lanewire-2020-01-02T00-00-00-bbbbbbbb')
  for (const path of [unheard, broken]) await mkdir(path)
  await writeFile(join(unheard, 'manifest.json'), '{}')
  await writeFile(join(backups, 'notes.txt'), 'mine')
  const clock = (ms: number) => new Date(Date.now() + ms).toISOString().replaceAll(/\D/g, '').slice(0, 14)
  const suffix = id.slice(-12)
  const scratch = { left: clock(-120_000), used: clock(-dayMs), fresh: clock(dayMs) }
  const nameOf = (which: keyof typeof scratch) => `lanewire_verify_${scratch[which]}_${suffix}`
  const mine = `lanewire_verify_mine_${suffix}`
  const all = [nameOf('left'), nameOf('used'), nameOf('fresh'), mine]
  for (const name of all) t.teardown(() => execute(`drop database if exists ${name} with (force)`))
  for (const name of all.filter((one) => one !== nameOf('used'))) await execute(`create database ${name}`)
  const url = new URL(app.services.DATABASE_URL)
  url.pathname = `/${nameOf('used')}`
  // Other tests' servers drop the database unless a connection is open.
  const user = await until('somebody to be in the one that is in use', async () => {
    await execute(`create database ${nameOf('used')}`)
    return connectAlone(url.href).catch(() => undefined)
  })
  t.teardown(() => user.end())
  const here = async () => {
    const { rows } = await user.query<{ name: string }>(
      `select datname as name from pg_database where datname like '%${suffix}' order by datname = '${mine}', datname`,
    )
    return rows.map(({ name }) => name)
  }
  // A database with open connections (another test's server, autovacuum) is dropped in a later sweep.
  await until('the one that was left to go', async () => {
    await sweepBackups(app.server.ctx)
    return !(await here()).includes(nameOf('left'))
  })
  t.same(await here(), [nameOf('used'), nameOf('fresh'), mine])
  t.same([await isThere(broken), await isThere(unheard), await isThere(folder ?? '')], [false, true, true])
  t.ok(await isThere(join(backups, 'notes.txt')))
  await app.server.ctx.db.updateTable('backups').set({ folder: null }).where('id', '=', id).execute()
  await sweepBackups(app.server.ctx)
  t.notOk(await isThere(folder ?? ''), 'one that its row has forgotten')
})
