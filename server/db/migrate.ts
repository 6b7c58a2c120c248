import { DEFAULT_MIGRATION_LOCK_TABLE, Kysely, MIGRATION_LOCK_ID, Migrator, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { StartFault } from '#server/errors.ts'
import { fillFind, loadPlaces } from '#server/features/find/fill-find.service.ts'
import { isDatabaseDown, type Db } from '#server/platform/database/db.ts'
import { replaceFunctions } from './functions.ts'
import { migrations } from './migrations/index.ts'
import type { DB } from './schema.ts'
import { assertOwnSessions } from './pooler-check.ts'

/** Only databases from before the first release have this migration. Their tables are different. */
const unreleased = '0002-posts'

const refusal = `This database was created by Lanewire before its first release. Its tables are different, so Lanewire does not start and changes nothing.
Move it out of the way, and Lanewire starts with an empty one:
  Kept by npm start:   mv .data data-before-release    (to throw it away: rm -r .data)
  Your own PostgreSQL: name an empty database in DATABASE_URL
  Docker Compose:      docker compose --profile apart stop web sockets worker; docker compose exec postgres psql -U lanewire -d postgres \\
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
 * Applies missing migrations. Migrations of newer versions get empty stubs, because Kysely rejects migrations that it does not know.
 * @throws {StartFault} if PostgreSQL is too old or the database is from before the first release; the database then stays unchanged
 */
async function applyMigrations(db: Db): Promise<void> {
  const { rows } = await sql<{ version: string }>`select current_setting('server_version') as version`.execute(db)
  requireVersion(rows[0]?.version ?? '')
  const applied = await listApplied(db)
  if (applied.includes(unreleased)) throw new StartFault(refusal)
  // If nothing is missing, as on most starts, skip the migrator, because it would read the whole catalog first.
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

/** Runs `work` under the migrator's lock, which is reentrant within a session. It must cover functions and table contents, too. */
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

/** Returns the error's message or, if it is empty, the code: the message is empty if a host with several addresses is unreachable. */
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
    `The role "${user}" in DATABASE_URL lacks a privilege in the database "${database}" (${error.message}): as a superuser run ${remedy}`,
  )
}

/**
 * Applies migrations and fills Find's tables. If several processes call this at once, they take turns.
 * @throws {StartFault} if PostgreSQL is unreachable or too old, lacks privileges, or is behind a pooler that shares sessions
 */
export async function migrateToLatest(databaseUrl: string): Promise<void> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1, connectionTimeoutMillis: 10_000 })
  // Without this listener, losing an idle connection would crash the process. Errors that matter make the migrator fail, too.
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
