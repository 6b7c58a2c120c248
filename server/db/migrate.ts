import { Kysely, Migrator, PostgresDialect, sql, type Migration } from 'kysely'
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

/** Brings the database to the newest schema. Safe to call from several processes at once (the migrator locks). */
export async function migrateToLatest(databaseUrl: string): Promise<void> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2, connectionTimeoutMillis: 10_000 })
  // A connection may break while it rests; what matters fails in the migrator.
  pool.on('error', () => undefined)
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  try {
    const migrator = new Migrator({
      db,
      // Asked under the migrator's lock, which holds the first connection.
      provider: { getMigrations: async () => ({ ...migrations, ...(await findNewer(db)) }) },
      allowUnorderedMigrations: true,
    })
    const { error } = await migrator.migrateToLatest()
    if (error !== undefined) throw error
  } finally {
    await db.destroy()
  }
}
