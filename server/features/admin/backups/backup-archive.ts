import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import Type, { type Static } from 'typebox'
import Value from 'typebox/value'
import { dump, type PgDump, tooLarge } from './backup-dump.ts'
import { fileOf, readLines, sections } from './backup-sections.ts'
import {
  beginSnapshot,
  connectAlone,
  findMigration,
  listTables,
  readContent,
  sizeOfTables,
} from './backup-tables.repository.ts'

const Manifest = Type.Object({
  format: Type.Literal(2),
  takenAt: Type.String(),
  versions: Type.Object({ server: Type.String(), pgDump: Type.String() }),
  migration: Type.String({ minLength: 1 }),
  tables: Type.Array(Type.Object({ name: Type.String(), rows: Type.Integer(), sha256: Type.String() })),
})
export type Manifest = Static<typeof Manifest>

const manifestFile = 'manifest.json'
const mebibyte = 1_048_576
/** Size limit for the bundled pg_dump, which holds several copies of a section in memory, in strings of at most 512 MiB. */
const largestBundledBytes = 256 * mebibyte
const rowsPerInsert = 100

async function readVersions(folder: string): Promise<Manifest['versions']> {
  const versions = { server: '', pgDump: '' }
  for await (const line of readLines(fileOf(folder, 'pre-data'))) {
    versions.server ||= /^-- Dumped from database version (.+)/.exec(line)?.[1] ?? ''
    versions.pgDump ||= /^-- Dumped by pg_dump version (.+)/.exec(line)?.[1] ?? ''
    if (versions.pgDump !== '') break
  }
  return versions
}

async function readTables(client: pg.Client, signal?: AbortSignal): Promise<Manifest['tables']> {
  const tables: Manifest['tables'] = []
  for (const shape of await listTables(client)) {
    signal?.throwIfAborted()
    tables.push({ name: shape.name, ...(await readContent(client, shape)) })
  }
  return tables
}

interface ArchiveOptions {
  pgDump?: PgDump
  largestBytes?: number
  /** After an abort, the files written so far are not a valid archive. */
  signal?: AbortSignal
}

/** Dumps the database and hashes its tables in one snapshot. @throws if pg_dump fails, the database is too large, or `signal` aborts */
export async function writeArchive(
  databaseUrl: string,
  folder: string,
  { pgDump, signal, largestBytes = largestBundledBytes }: ArchiveOptions = {},
): Promise<Manifest> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const client = await connectAlone(databaseUrl)
  try {
    if (pgDump === undefined && (await sizeOfTables(client)) > largestBytes) throw new Error(tooLarge)
    const { snapshot, at } = await beginSnapshot(client)
    const plain = ['--no-password', '--no-owner', '--no-privileges', '--inserts', `--rows-per-insert=${rowsPerInsert}`]
    for (const section of sections) {
      const args = [...plain, `--snapshot=${snapshot}`, `--section=${section}`]
      await dump({ databaseUrl, pgDump, args, file: fileOf(folder, section), signal })
    }
    const manifest: Manifest = {
      format: 2,
      takenAt: at.toISOString(),
      versions: await readVersions(folder),
      migration: await findMigration(client),
      tables: await readTables(client, signal),
    }
    await client.query('commit')
    await writeFile(join(folder, manifestFile), JSON.stringify(manifest, null, 2), { mode: 0o600 })
    return manifest
  } finally {
    await client.end()
  }
}

/** @throws if the folder contains no backup, or a backup in a different format */
export async function readManifest(folder: string): Promise<Manifest> {
  const manifest: unknown = JSON.parse(await readFile(join(folder, manifestFile), 'utf8'))
  if (Value.Check(Manifest, manifest)) return manifest
  if (Value.Check(Type.Object({ format: Type.Literal(1) }), manifest))
    throw new Error(
      `${folder} is a format 1 backup, from before Lanewire used pg_dump. Restore it with Lanewire from 21 November 2026 (commit 88e6c70)`,
    )
  throw new Error(`${folder} is not a Lanewire backup`)
}

export async function isWhole(folder: string): Promise<boolean> {
  return (await stat(join(folder, manifestFile)).catch(() => undefined)) !== undefined
}

export async function sizeOf(folder: string): Promise<number> {
  const sizes = await Promise.all((await readdir(folder)).map(async (file) => (await stat(join(folder, file))).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}

export async function removeArchive(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true })
}
