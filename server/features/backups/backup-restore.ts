import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import { migrateTo, migrateToLatest } from '#server/db/migrate.ts'
import { fileOf, readManifest, type Manifest } from './backup-archive.ts'
import { connectForCopy, copyIn, copyOut, hasTables, listTables } from './backup-copy.repository.ts'

function databaseNamed(databaseUrl: string, name: string): string {
  const url = new URL(databaseUrl)
  url.pathname = `/${name}`
  return url.href
}

async function withClient<T>(databaseUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await connectForCopy(databaseUrl)
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Fills a freshly migrated database, all or nothing. What the migrations put there gives way to what was copied. */
async function fill(client: pg.Client, folder: string, { tables, sequences }: Manifest): Promise<void> {
  const names = tables.map(({ name }) => name)
  await client.query('begin')
  // The rows are what they were: no trigger is to have an opinion about them.
  for (const name of names) await client.query(`alter table "${name}" disable trigger user`)
  for (const name of names.toReversed()) await client.query(`delete from "${name}"`)
  for (const { name, columns } of tables) await copyIn(client, name, columns, fileOf(folder, name))
  for (const { name, value } of sequences) await client.query('select setval($1, $2::bigint)', [name, value])
  for (const name of names) await client.query(`alter table "${name}" enable trigger user`)
  await client.query('commit')
}

/** @throws naming the first table that is not what the manifest says */
async function compare(client: pg.Client, { tables }: Manifest): Promise<void> {
  const shapes = new Map((await listTables(client)).map((shape) => [shape.name, shape]))
  for (const { name, rows, sha256, columns } of tables) {
    const shape = shapes.get(name)
    const copy = shape && (await copyOut(client, { ...shape, columns }))
    if (copy?.rows !== rows || copy.sha256 !== sha256)
      throw new Error(`Table ${name} did not come back as it was: ${rows} rows, now ${copy?.rows ?? 'none'}`)
  }
}

/** Restores a backup into an empty database and proves every table. @throws when it is not empty, or differs */
export async function restoreArchive(databaseUrl: string, folder: string): Promise<Manifest> {
  const manifest = await readManifest(folder)
  if (await withClient(databaseUrl, hasTables))
    throw new Error('The database is not empty. A backup is restored into an empty one only; nothing was changed')
  await migrateTo(databaseUrl, manifest.migration)
  await withClient(databaseUrl, async (client) => {
    await fill(client, folder, manifest)
    await compare(client, manifest)
  })
  await migrateToLatest(databaseUrl)
  return manifest
}

/** Restores into a scratch database of the same server and drops it again. @throws when it does not come back equal */
export async function verifyArchive(databaseUrl: string, folder: string): Promise<Manifest> {
  const name = `lanewire_verify_${randomBytes(6).toString('hex')}`
  return withClient(databaseUrl, async (client) => {
    await client.query(`create database ${name}`)
    try {
      return await restoreArchive(databaseNamed(databaseUrl, name), folder)
    } finally {
      await client.query(`drop database if exists ${name} with (force)`)
    }
  })
}
