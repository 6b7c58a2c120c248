import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import t from 'tap'
import { restoreArchive } from '#server/features/admin/backups/backup-restore.ts'
import type { AuditPage } from '#shared/schemas/audit.ts'
import type { Backup, Backups } from '#shared/schemas/admin.ts'
import type { NotificationsPage } from '#shared/schemas/notifications.ts'
import type { PostDetail } from '#shared/schemas/posts.ts'
import { startApp } from '#tests/support/app.ts'
import { backUp, endOf, startSmall } from '#tests/support/backups.ts'
import { openChat, say } from '#tests/support/chat.ts'
import { publish } from '#tests/support/factories.ts'
import { emptyDatabase } from '#tests/support/services.ts'

// Text that SQL, psql commands or COPY could misinterpret.
const awkward = `It's 5" wide; see C:\\lots\\new\\;
\\restrict nothing
-- 'no comment;
\\.
'';\ttab, \\' and Müller`

async function edit(file: string, change: (text: string) => string): Promise<void> {
  await writeFile(file, gzipSync(change(gunzipSync(await readFile(file)).toString())))
}

t.test('restores a backup into an empty database that then works as before', async (t) => {
  const app = await startSmall(t)
  const admin = await app.signIn('Lanewire', { role: 'admin', name: '' })
  const [seller, buyer] = [await app.signIn('Seller'), await app.signIn('Buyer')]
  const post = await publish(seller, { title: 'Tabs\tand\nlines, "quotes" and Müller' })
  const chat = await openChat(seller, buyer)
  const said = await say(seller, chat, awkward)
  t.equal(said.body.content, awkward)
  // Simulate a rollback from a newer version, which left a column and a migration.
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
    'an admin without a name appears by email',
  )
  const folder = backup.folder ?? ''
  const files = (await readdir(folder)).toSorted()
  t.same(files, ['1-pre-data.sql.gz', '2-data.sql.gz', '3-post-data.sql.gz', 'manifest.json'])
  for (const file of files)
    t.equal((await stat(join(folder, file))).mode & 0o077, 0, 'readable only by the server: has password hashes')
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
  t.same(body, (await buyer.get<PostDetail>(`/api/inventory/${post}`)).body, 'sessions are restored too')
  const messages = again.server.ctx.db.selectFrom('messages').select('content').where('id', '=', said.body.id)
  t.same(await messages.execute(), [{ content: awkward }], 'the text is unchanged')
  const shoes = sql<{ size: number }>`select distinct shoe_size as size from dealers`
  t.same((await shoes.execute(again.server.ctx.db)).rows, [{ size: 44 }], 'unknown columns are kept')
  await t.rejects(again.server.ctx.db.deleteFrom('auditLog').execute(), /append-only/, 'triggers are enabled again')

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
  t.match((await elsewhere.get<Backups>('/api/admin/backups')).body.lastVerified, { folder }, 'the older backup counts')
  const told = (await elsewhere.get<NotificationsPage>('/api/notifications')).body.items
  t.match(told, [
    { title: 'A backup failed', body: 'pg_dump: error: server version mismatch', path: '/admin' },
    { title: 'A backup failed', body: /PG_DUMP does not start/ },
  ])
  t.equal(told.length, 2, 'one notification per failed backup')
})
