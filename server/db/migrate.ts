import { DEFAULT_MIGRATION_LOCK_TABLE, Kysely, MIGRATION_LOCK_ID, Migrator, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { StartFault } from '#server/errors.ts'
import { fillFind, loadPlaces } from '#server/features/find/fill-find.service.ts'
import { isDatabaseDown, type Db } from '#server/platform/database/db.ts'
import { replaceFunctions } from './functions.ts'
import { migrations } from './migrations/index.ts'
import type { DB } from './schema.ts'
import { assertOwnSessions } from './pooler-check.ts'

/** This migration was applied only to databases from before the first release, whose tables are different. */
const unreleased = '0002-posts'

const refusal = `This database was made by a Lanewire from before the first release. Its tables are others, so it stays as it is and nothing starts.
Move it out of the way, and Lanewire begins with an empty one:
  Kept by npm start:   mv .data data-before-release    (to throw it away: rm -r .data)
  Your own PostgreSQL: name an empty database in DATABASE_URL
  Docker Compose:      docker compose stop web worker; docker compose exec postgres psql -U lanewire -d postgres \\
                         -c 'alter database lanewire rename to before_release' -c 'create database lanewire'`

const oldestMajor = 18

/** @throws {StartFault} if PostgreSQL is too old */
export function requireVersion(version: string): void {
  if (Number.parseInt(version, 10) >= oldestMajor) return
  throw new StartFault(
    `Lanewire needs PostgreSQL ${oldestMajor} or newer, but DATABASE_URL points to PostgreSQL ${version}. Nothing was changed.`,
  )
}

async function listApplied(db: Db): Promise<string[]> {
  const { rows: tables } = await sql`select where to_regclass('kysely_migration') is not null`.execute(db)
  if (tables.length === 0) return []
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
  return rows.map(({ name }) => name)
}

/**
 * Applies missing migrations. Migrations of newer versions get empty stubs, because Kysely rejects unknown migrations.
 * @throws {StartFault} for a database from before the first release, which stays unchanged
 */
async function applyMigrations(db: Db): Promise<void> {
  const { rows } = await sql<{ version: string }>`select current_setting('server_version') as version`.execute(db)
  requireVersion(rows[0]?.version ?? '')
  const applied = await listApplied(db)
  if (applied.includes(unreleased)) throw new StartFault(refusal)
  // Skip the migrator if nothing is missing, as on most starts, because it would read the whole catalog first.
  if (Object.keys(migrations).every((name) => applied.includes(name))) return
  const newer = applied.filter((name) => !(name in migrations))
  const provider = {
    getMigrations: async () => ({
      ...migrations,
      ...Object.fromEntries(newer.map((name) => [name, { up: async () => undefined }])),
    }),
  }
  const { error } = await new Migrator({ db, provider, allowUnorderedMigrations: true }).migrateToLatest()
  if (error !== undefined) throw error
}

/** Runs `work` while holding the migrator's lock, which is reentrant per session. The lock must also cover functions and tables. */
async function underLock(db: Db, work: () => Promise<void>): Promise<void> {
  const { adapter } = db.getExecutor()
  const lock = { lockTable: DEFAULT_MIGRATION_LOCK_TABLE, lockRowId: MIGRATION_LOCK_ID }
  await adapter.acquireMigrationLock(db, lock)
  try {
    await work()
  } finally {
    await adapter.releaseMigrationLock(db, lock)
  }
}

/** The message is empty if a host with several addresses is unreachable. In that case, returns the error's code. */
const wordsOf = (error: unknown) => {
  const { message, code } = error as NodeJS.ErrnoException
  return message === '' ? code : message
}

const insufficientPrivilege = '42501'

function rightsFault(error: unknown, databaseUrl: string): StartFault | undefined {
  if (!(error instanceof pg.DatabaseError) || error.code !== insufficientPrivilege) return undefined
  const { database, user } = new pg.Client(databaseUrl)
  const remedy = error.message.startsWith('must be owner')
    ? `reassign owned by its owner to "${user}"`
    : `alter database "${database}" owner to "${user}"`
  return new StartFault(
    `The role "${user}" in DATABASE_URL lacks a right in the database "${database}" (${error.message}): as a superuser run ${remedy}`,
  )
}

/**
 * If several processes call this at once, they take turns.
 * @throws {StartFault} if PostgreSQL is unreachable, lacks privileges, or is behind a pooler that shares sessions
 */
export async function migrateToLatest(databaseUrl: string): Promise<void> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1, connectionTimeoutMillis: 10_000 })
  // Without this listener, losing an idle connection would crash the process. Errors that matter also make the migrator fail.
  pool.on('error', () => undefined)
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) })
  try {
    await assertOwnSessions(databaseUrl)
    await db.connection().execute((session) =>
      underLock(session, async () => {
        await applyMigrations(session)
        await replaceFunctions(session)
        await loadPlaces(session)
        await fillFind(session)
      }),
    )
  } catch (error) {
    if (!isDatabaseDown(error)) throw rightsFault(error, databaseUrl) ?? error
    const { host, port } = new pg.Client(databaseUrl)
    throw new StartFault(`PostgreSQL at ${host}:${port}, which DATABASE_URL names, cannot be used: ${wordsOf(error)}`)
  } finally {
    await db.destroy()
  }
}
