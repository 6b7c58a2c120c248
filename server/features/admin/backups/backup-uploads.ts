import { readdir } from 'node:fs/promises'
import { basename, join, relative } from 'node:path'
import type { Storage } from '#server/platform/storage/storage.ts'
import { fileOf, sections } from './backup-sections.ts'

const atOnce = 8
const uploads = 'files'
const inBucket = 'backups'
/** Backup files are never served, so their content type does not matter. */
const contentType = 'application/octet-stream'

export const bucketKey = (name: string): string => `${inBucket}/${name}`

async function forEachKey(
  keys: AsyncIterable<string>,
  work: (key: string) => Promise<unknown>,
  signal?: AbortSignal,
): Promise<void> {
  const left = keys[Symbol.asyncIterator]()
  const runWorker = async () => {
    for (let next = await left.next(); next.done !== true; next = await left.next()) {
      signal?.throwIfAborted()
      await work(next.value)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, runWorker))
}

async function* uploadsIn(storage: Storage): AsyncGenerator<string> {
  for await (const key of storage.list()) if (!key.startsWith(`${inBucket}/`)) yield key
}

/** Copies all uploads into the backup. Call this after the dump, so that the copy includes every file that the dump mentions. */
export const saveUploads = (storage: Storage, folder: string, signal: AbortSignal): Promise<void> =>
  forEachKey(uploadsIn(storage), (key) => storage.export(key, join(folder, uploads, key)), signal)

/** Copies the uploads within the bucket, without downloading them. */
export const saveUploadsInBucket = (storage: Storage, key: string, signal: AbortSignal): Promise<void> =>
  forEachKey(uploadsIn(storage), (one) => storage.copy(one, `${key}/${uploads}/${one}`), signal)

/** Uploads the manifest last, because it marks the backup as complete. */
export async function putArchive(storage: Storage, folder: string, key: string): Promise<void> {
  const files = (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isFile())
  for (const { name } of files.toSorted((a, b) => (a.name < b.name ? -1 : 1)))
    await storage.putFile(`${key}/${name}`, join(folder, name), contentType)
}

/** Downloads a backup without the uploads. @throws if the bucket has no complete backup at `key` */
export async function fetchArchive(storage: Storage, key: string, folder: string): Promise<void> {
  const names = [...sections.map((section) => basename(fileOf(folder, section))), 'manifest.json']
  for (const name of names)
    if (!(await storage.export(`${key}/${name}`, join(folder, name))))
      throw new Error(`The bucket has no complete backup at ${key}: ${name} is missing`)
}

/** A backup of a network without uploads has no folder for them. */
function noneIfAbsent(error: NodeJS.ErrnoException): [] {
  if (error.code === 'ENOENT') return []
  throw error
}

/** Copies the uploads of a local backup to storage. Returns the number of files. */
export async function restoreUploads(storage: Storage, folder: string): Promise<number> {
  const root = join(folder, uploads)
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(noneIfAbsent)
  const files = entries.filter((entry) => entry.isFile())
  for (const { parentPath, name } of files) {
    const path = join(parentPath, name)
    await storage.putFile(relative(root, path), path, contentType)
  }
  return files.length
}

/** Copies the uploads of a backup in the bucket to their original keys. Returns the number of files. */
export async function restoreUploadsInBucket(storage: Storage, key: string): Promise<number> {
  let count = 0
  const prefix = `${key}/${uploads}/`
  await forEachKey(storage.list(prefix), async (one) => {
    await storage.copy(one, one.slice(prefix.length))
    count += 1
  })
  return count
}
