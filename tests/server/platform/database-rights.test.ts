import t from 'tap'
import { StartFault } from '#server/errors.ts'
import { migrateToLatest } from '#server/db/migrate.ts'
import { aRole, databaseNameOf } from '#tests/support/database-role.ts'
import { cloneDatabase, emptyDatabase, execute } from '#tests/support/services.ts'

t.test('names a role that cannot create tables and a statement that fixes it', async (t) => {
  const databaseUrl = await emptyDatabase(t)
  const database = databaseNameOf(databaseUrl)
  const { role, url } = await aRole(t, databaseUrl)
  const fault = await migrateToLatest(url).catch((error: unknown) => error)
  t.type(fault, StartFault)
  const { message } = fault as StartFault
  t.equal(
    message,
    `The role "${role}" in DATABASE_URL lacks a privilege in the database "${database}" (permission denied for schema public): as a superuser run alter database "${database}" owner to "${role}"`,
  )
  await execute(message.split('as a superuser run ')[1] ?? '')
  await migrateToLatest(url)
})

t.test('names tables owned by another role', async (t) => {
  const databaseUrl = await cloneDatabase(t)
  const { role, url } = await aRole(t, databaseUrl)
  await execute(
    `grant all on all tables in schema public to ${role};
     delete from kysely_migration where name = '0038-saved-meant'`,
    databaseUrl,
  )
  await execute(`alter database ${databaseNameOf(databaseUrl)} owner to ${role}`)
  await t.rejects(migrateToLatest(url), { message: /\(must be owner of .+\): as a superuser run reassign owned by / })
})
