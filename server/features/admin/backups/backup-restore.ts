import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { migrateToLatest } from '#server/db/migrate.ts'
import { openDb, openPool } from '#server/platform/database/db.ts'
import { removeJobsNamed } from '#server/platform/jobs/outbox.repository.ts'
import { readManifest, type Manifest } from './backup-archive.ts'
import { readSection, sections } from './backup-sections.ts'
import { connectAlone, hasTables, listTables, readContent } from './backup-tables.repository.ts'
import { removeRunning } from './backups.repository.ts'

const connectMs = 10_000

/** Replaces the database name. `URL` cannot be used, because it rejects valid addresses such as `postgres://me@/lanewire?host=/tmp`. */
const databaseNamed = (databaseUrl: string, name: string): string =>
  databaseUrl.replace(/^([a-z]+:\/\/[^/?#]*)[^?#]*/, (_address, server: string) => `${server}/${name}`)

async function withClient<T>(databaseUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await connectAlone(databaseUrl)
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

async function load(client: pg.Client, folder: string, signal: AbortSignal | undefined): Promise<void> {
  await client.query('begin')
  for (const section of sections)
    for await (const piece of readSection(folder, section)) {
      signal?.throwIfAborted()
      await client.query(piece)
    }
  await client.query('commit')
}

/** @throws an error with the name of the first table that differs from the manifest */
async function compare(client: pg.Client, { tables }: Manifest, signal: AbortSignal | undefined): Promise<void> {
  const shapes = new Map((await listTables(client)).map((shape) => [shape.name, shape]))
  for (const { name, rows, sha256 } of tables) {
    signal?.throwIfAborted()
    const shape = shapes.get(name)
    const content = shape && (await readContent(client, shape))
    if (content?.rows !== rows || content.sha256 !== sha256)
      throw new Error(`Table ${name} was not restored correctly: ${rows} rows, now ${content?.rows ?? 'none'}`)
  }
}

/** Restores a backup and verifies every table. @throws if the database is not empty, or a table differs from the manifest */
async function restore(databaseUrl: string, folder: string, signal?: AbortSignal): Promise<Manifest> {
  const manifest = await readManifest(folder)
  if (await withClient(databaseUrl, hasTables))
    throw new Error(
      'The database is not empty. Backups can be restored only into an empty database. Nothing was changed',
    )
  await withClient(databaseUrl, (client) => load(client, folder, signal))
  // Use a new session, because the dump changed settings of the previous one.
  await withClient(databaseUrl, (client) => compare(client, manifest, signal))
  return manifest
}

/** Removes the job that made this backup, because the dump contains it. If it ran again, it would overwrite its own archive. */
async function removeRunningBackup(databaseUrl: string): Promise<void> {
  const db = openDb(openPool(databaseUrl, 1, connectMs))
  try {
    await db.transaction().execute(async (tx) => {
      await removeJobsNamed(tx, 'backup.run')
      await removeRunning(tx)
    })
  } finally {
    await db.destroy()
  }
}

export async function restoreArchive(databaseUrl: string, folder: string): Promise<Manifest> {
  const manifest = await restore(databaseUrl, folder)
  await migrateToLatest(databaseUrl)
  await removeRunningBackup(databaseUrl)
  return manifest
}

/** The name contains the creation time by PostgreSQL's clock, which {@link sweepScratch} reads. */
async function createScratch(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ at: string }>(
    `select to_char(clock_timestamp() at time zone 'UTC', 'YYYYMMDDHH24MISS') as at`,
  )
  const name = `lanewire_verify_${rows[0]?.at}_${randomBytes(6).toString('hex')}`
  await client.query(`create database ${name}`)
  return name
}

/** Younger databases are kept, because the process that created one may not have connected to it yet. */
const scratchAge = '1 minute'
/** PostgreSQL's error codes if another process is dropping the database, or if it is in use or belongs to another role. */
const notToDrop = new Set(['55P03', '55006', '42501'])

/** Drops unused scratch databases that killed processes left behind. */
export async function sweepScratch(databaseUrl: string): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    await client.query(`set lock_timeout = '100ms'`)
    // Select only unused databases, because PostgreSQL waits five seconds for connections to close before it fails.
    const { rows } = await client.query<{ name: string }>(
      `select datname as name from pg_database
        where datname ~ '^lanewire_verify_[0-9]{14}_[0-9a-f]{12}$' and split_part(datname, '_', 3)
            < to_char(clock_timestamp() at time zone 'UTC' - $1::interval, 'YYYYMMDDHH24MISS')
          and not exists (select from pg_stat_activity as used where used.datname = pg_database.datname)`,
      [scratchAge],
    )
    for (const { name } of rows)
      await client.query(`drop database if exists ${name}`).catch((error: unknown) => {
        if (!(error instanceof pg.DatabaseError && notToDrop.has(error.code ?? ''))) throw error
      })
  })
}

/** Restores a backup into a scratch database and verifies it. @throws if a table differs from the manifest, or `signal` aborts */
export async function verifyArchive(databaseUrl: string, folder: string, signal?: AbortSignal): Promise<Manifest> {
  return withClient(databaseUrl, async (client) => {
    const name = await createScratch(client)
    const scratchUrl = databaseNamed(databaseUrl, name)
    try {
      // Stay connected, so that `sweepScratch` does not drop the database.
      return await withClient(scratchUrl, () => restore(scratchUrl, folder, signal))
    } finally {
      await client.query(`drop database if exists ${name} with (force)`)
    }
  })
}
