import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import { migrateToLatest } from '#server/db/migrate.ts'
import { readManifest, type Manifest } from './backup-archive.ts'
import { readSection, sections } from './backup-sections.ts'
import { connectAlone, hasTables, listTables, readContent } from './backup-tables.repository.ts'

function databaseNamed(databaseUrl: string, name: string): string {
  const url = new URL(databaseUrl)
  url.pathname = `/${name}`
  return url.href
}

async function withClient<T>(databaseUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await connectAlone(databaseUrl)
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Runs the dump, all or nothing. */
async function load(client: pg.Client, folder: string, signal: AbortSignal | undefined): Promise<void> {
  await client.query('begin')
  for (const section of sections)
    for await (const piece of readSection(folder, section)) {
      signal?.throwIfAborted()
      await client.query(piece)
    }
  await client.query('commit')
}

/** @throws naming the first table that is not what the manifest says */
async function compare(client: pg.Client, { tables }: Manifest, signal: AbortSignal | undefined): Promise<void> {
  const shapes = new Map((await listTables(client)).map((shape) => [shape.name, shape]))
  for (const { name, rows, sha256 } of tables) {
    signal?.throwIfAborted()
    const shape = shapes.get(name)
    const content = shape && (await readContent(client, shape))
    if (content?.rows !== rows || content.sha256 !== sha256)
      throw new Error(`Table ${name} did not come back as it was: ${rows} rows, now ${content?.rows ?? 'none'}`)
  }
}

/** Restores a backup into an empty database and proves every table. @throws when it is not empty, or differs */
async function restore(databaseUrl: string, folder: string, signal?: AbortSignal): Promise<Manifest> {
  const manifest = await readManifest(folder)
  if (await withClient(databaseUrl, hasTables))
    throw new Error('The database is not empty. A backup is restored into an empty one only; nothing was changed')
  await withClient(databaseUrl, (client) => load(client, folder, signal))
  // A new session: the dump has changed settings of its own one.
  await withClient(databaseUrl, (client) => compare(client, manifest, signal))
  return manifest
}

/** The same, and brings what an older version has left to the newest schema. */
export async function restoreArchive(databaseUrl: string, folder: string): Promise<Manifest> {
  const manifest = await restore(databaseUrl, folder)
  await migrateToLatest(databaseUrl)
  return manifest
}

/**
 * Restores into a scratch database of the same server and drops it again.
 * @throws when it does not come back equal, or the signal ends it
 */
export async function verifyArchive(databaseUrl: string, folder: string, signal?: AbortSignal): Promise<Manifest> {
  const name = `lanewire_verify_${randomBytes(6).toString('hex')}`
  return withClient(databaseUrl, async (client) => {
    await client.query(`create database ${name}`)
    try {
      return await restore(databaseNamed(databaseUrl, name), folder, signal)
    } finally {
      await client.query(`drop database if exists ${name} with (force)`)
    }
  })
}
