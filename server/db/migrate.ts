import { Kysely, Migrator, PostgresDialect, type MigrationResultSet } from 'kysely'
import pg from 'pg'
import { migrations } from './migrations/index.ts'

async function migrate(databaseUrl: string, run: (migrator: Migrator) => Promise<MigrationResultSet>): Promise<void> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1, connectionTimeoutMillis: 10_000 })
  // A scratch database may be dropped before its last connection is closed; what matters fails in the migrator.
  pool.on('error', () => undefined)
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  try {
    const migrator = new Migrator({
      db,
      provider: { getMigrations: async () => migrations },
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

/** Brings an empty database to the schema that a backup was made of. */
export async function migrateTo(databaseUrl: string, name: string): Promise<void> {
  await migrate(databaseUrl, (migrator) => migrator.migrateTo(name))
}
