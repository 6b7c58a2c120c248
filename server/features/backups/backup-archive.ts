import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import Type, { type Static } from 'typebox'
import Value from 'typebox/value'
import { connectForCopy, copyOut, findMigration, listSequences, listTables } from './backup-copy.repository.ts'

const Manifest = Type.Object({
  format: Type.Literal(1),
  takenAt: Type.String(),
  /** The newest migration of the database that was copied. */
  migration: Type.String({ minLength: 1 }),
  /** In the order in which they can be filled. */
  tables: Type.Array(
    Type.Object({
      name: Type.String({ pattern: '^[a-z0-9_]+$' }),
      columns: Type.Array(Type.String()),
      rows: Type.Integer(),
      sha256: Type.String(),
    }),
  ),
  sequences: Type.Array(Type.Object({ name: Type.String({ pattern: '^[a-z0-9_]+$' }), value: Type.String() })),
})
export type Manifest = Static<typeof Manifest>

const manifestFile = 'manifest.json'
export const fileOf = (folder: string, table: string) => join(folder, `${table}.copy.gz`)

/** Copies the whole database as it is at one moment, while everybody goes on writing. The manifest is written last. */
export async function writeArchive(databaseUrl: string, folder: string): Promise<Manifest> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const client = await connectForCopy(databaseUrl)
  try {
    await client.query('begin isolation level repeatable read read only')
    const tables: Manifest['tables'] = []
    for (const shape of await listTables(client)) {
      const copy = await copyOut(client, shape, fileOf(folder, shape.name))
      tables.push({ name: shape.name, columns: shape.columns, ...copy })
    }
    const [migration, sequences] = [await findMigration(client), await listSequences(client)]
    await client.query('commit')
    const manifest: Manifest = { format: 1, takenAt: new Date().toISOString(), migration, tables, sequences }
    await writeFile(join(folder, manifestFile), JSON.stringify(manifest, null, 2), { mode: 0o600 })
    return manifest
  } finally {
    await client.end()
  }
}

/** @throws when the folder holds no backup */
export async function readManifest(folder: string): Promise<Manifest> {
  const manifest: unknown = JSON.parse(await readFile(join(folder, manifestFile), 'utf8'))
  if (!Value.Check(Manifest, manifest)) throw new Error(`${folder} is not a backup of this program`)
  return manifest
}

export async function sizeOf(folder: string): Promise<number> {
  const sizes = await Promise.all((await readdir(folder)).map(async (file) => (await stat(join(folder, file))).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}

export async function removeArchive(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true })
}
