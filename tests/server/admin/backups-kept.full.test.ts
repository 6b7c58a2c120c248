import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { gunzipSync } from 'node:zlib'
import t from 'tap'
import { type Manifest, writeArchive } from '#server/features/admin/backups/backup-archive.ts'
import { dump } from '#server/features/admin/backups/backup-dump.ts'
import { startDailyBackup } from '#server/features/admin/backups/backups-daily.service.ts'
import { sweepBackups } from '#server/features/admin/backups/backups.service.ts'
import { connectAlone } from '#server/features/admin/backups/backup-tables.repository.ts'
import type { Backup, Backups } from '#shared/schemas/admin.ts'
import { startApp } from '#tests/support/app.ts'
import { backUp, endOf, smallServices, startSmall } from '#tests/support/backups.ts'
import { untilBlocked } from '#tests/support/locks.ts'
import { execute } from '#tests/support/services.ts'
import { until } from '#tests/support/wait.ts'

const dayMs = 24 * 3_600_000
const isThere = async (path: string) => (await stat(path).catch(() => undefined)) !== undefined

const tableOf = ({ tables }: Manifest, name: string) => tables.find((table) => table.name === name)

t.test('discards the backup of a process that stops during it, and makes the next one', async (t) => {
  const app = await startSmall(t)
  const admin = await app.signIn('Lanewire', { role: 'admin' })
  const { status, body } = await admin.post<Backup>('/api/admin/backups')
  t.equal(status, 202)
  const backups = join(resolve(app.server.ctx.config.dataDir), 'backups')
  await until('the dump to start', async () => (await readdir(backups).catch(() => [])).length > 0)
  await app.server.stop('a deploy')
  t.same(await readdir(backups), [], 'the unfinished files are deleted')
  const next = await startApp(t, {}, app.services)
  t.match(await endOf(next.on(next, admin), body), { state: 'verified', error: null })
})

t.test(
  'makes the daily backup once when it is due, also by a worker that starts late, and keeps only the newest',
  async (t) => {
    const app = await startSmall(t)
    const admin = await app.signIn('Lanewire', { role: 'admin' })
    t.equal((await admin.get<Backups>('/api/admin/backups')).body.nextAt, null, 'switched off')
    const byHand = await backUp(admin)
    const now = new Date()
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
    // Give these workers their own queues. A new schedule runs immediately, then every minute.
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
    t.same((await there.get<Backups>('/api/admin/backups')).body.backups, backups, 'no second backup on the same day')
    t.equal(backups.find(({ id }) => id === byHand.id)?.folder, null)
    await until('the older folder to be deleted', async () => !(await isThere(byHand.folder ?? '')))
    t.ok(await isThere(lastVerified?.folder ?? ''))
  },
)

t.test('dumps with PG_DUMP, from the snapshot in which the tables were read', async (t) => {
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
  t.notSame(tableOf(after, 'add_ons'), tableOf(await before, 'add_ons'), 'later rows are only in the next backup')
  t.same([tableOf(await before, 'shoes'), tableOf(after, 'shoes')?.rows], [undefined, 1])
  await Promise.all([writer.end(), watcher.end()])
})

t.test('says what the bundled pg_dump cannot do', async (t) => {
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

t.test('deletes what killed backups left, but nothing complete or in use', async (t) => {
  const app = await startSmall(t)
  const admin = await app.signIn('Lanewire', { role: 'admin' })
  const { folder, id } = await backUp(admin)
  const backups = join(resolve(app.server.ctx.config.dataDir), 'backups')
  // These folders have no database row, as after a restore from an older backup.
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
  // Keep a connection open, because the servers of other tests drop leftover databases that have no connections.
  const user = await until('a connection to the database in use', async () => {
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
  // Retry, because the sweep skips a database with open connections, such as those of another test's server or of autovacuum.
  await until('the leftover database to be dropped', async () => {
    await sweepBackups(app.server.ctx)
    return !(await here()).includes(nameOf('left'))
  })
  t.same(await here(), [nameOf('used'), nameOf('fresh'), mine])
  t.same([await isThere(broken), await isThere(unheard), await isThere(folder ?? '')], [false, true, true])
  t.ok(await isThere(join(backups, 'notes.txt')))
  await app.server.ctx.db.updateTable('backups').set({ folder: null }).where('id', '=', id).execute()
  await sweepBackups(app.server.ctx)
  t.notOk(await isThere(folder ?? ''), 'a folder that its row no longer names')
})
