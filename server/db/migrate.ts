import { Kysely, Migrator, PostgresDialect, sql, type Migration, type MigrationResultSet } from 'kysely'
import pg from 'pg'
import { migrations } from './migrations/index.ts'

/**
 * Migrations that a newer version has applied here. They only add, so this version works beside them and can be rolled back to;
 * Kysely refuses a database with a migration that it is not told of.
 */
async function findNewer(db: Kysely<unknown>): Promise<Record<string, Migration>> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
  const newer = rows.filter(({ name }) => !(name in migrations))
  return Object.fromEntries(newer.map(({ name }) => [name, { up: async () => undefined }]))
}

async function migrate(databaseUrl: string, run: (migrator: Migrator) => Promise<MigrationResultSet>): Promise<void> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2, connectionTimeoutMillis: 10_000 })
  // A scratch database may be dropped before its last connection is closed; what matters fails in the migrator.
  pool.on('error', () => undefined)
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  try {
    const migrator = new Migrator({
      db,
      // Asked under the migrator's lock, which holds the first connection.
      provider: { getMigrations: async () => ({ ...migrations, ...(await findNewer(db)) }) },
      allowUnorderedMigrations: true,
    })
    const { error } = await run(migrator)
    if (error !== undefined) throw error
  } finally {
    await db.destroy()
  }
}

/** Brings the database to the newest schema. Safe to call from several processes at once (the migrator locks). */
export async function migrateToLatest(databaseUrl: string): Promise<void> {
  await migrate(databaseUrl, (migrator) => migrator.migrateToLatest())
}

/** Brings an empty database to the schema that a backup was made of. @throws when a newer version made it */
export async function migrateTo(databaseUrl: string, name: string): Promise<void> {
  if (!(name in migrations))
    throw new Error(`A newer version changed the database (${name}), and only that version can restore its backups`)
  await migrate(databaseUrl, (migrator) => migrator.migrateTo(name))
}
