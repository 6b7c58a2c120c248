import { readdir } from 'node:fs/promises'
import { basename, join, relative } from 'node:path'
import type { Storage } from '#server/platform/storage.ts'
import { fileOf, sections } from './backup-sections.ts'

const atOnce = 8
/** What dealers sent, in a backup. */
const uploads = 'files'
/** Of all backups, among the keys of a bucket. */
const inBucket = 'backups'
/** Nobody is served these files by what S3 calls them. */
const contentType = 'application/octet-stream'

/** Where the bucket keeps a backup. */
export const bucketKey = (name: string): string => `${inBucket}/${name}`

async function forEachKey(
  keys: AsyncIterable<string>,
  work: (key: string) => Promise<unknown>,
  signal?: AbortSignal,
): Promise<void> {
  const left = keys[Symbol.asyncIterator]()
  const takeTurns = async () => {
    for (let next = await left.next(); next.done !== true; next = await left.next()) {
      signal?.throwIfAborted()
      await work(next.value)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, takeTurns))
}

async function* uploadsIn(storage: Storage): AsyncGenerator<string> {
  for await (const key of storage.list()) if (!key.startsWith(`${inBucket}/`)) yield key
}

/** Copies what dealers sent into a backup on the disk, after the dump: a file that the dump names is there, unless it was just removed. */
export const saveUploads = (storage: Storage, folder: string, signal: AbortSignal): Promise<void> =>
  forEachKey(uploadsIn(storage), (key) => storage.export(key, join(folder, uploads, key)), signal)

/** The same within the bucket: nothing goes through this machine. */
export const saveUploadsInBucket = (storage: Storage, key: string, signal: AbortSignal): Promise<void> =>
  forEachKey(uploadsIn(storage), (one) => storage.copy(one, `${key}/${uploads}/${one}`), signal)

/** Puts the files of a backup into the bucket, the manifest last: with it the backup is whole. */
export async function putArchive(storage: Storage, folder: string, key: string): Promise<void> {
  const files = (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isFile())
  for (const { name } of files.toSorted((a, b) => (a.name < b.name ? -1 : 1)))
    await storage.putFile(`${key}/${name}`, join(folder, name), contentType)
}

/** Fetches the files of a backup, without the uploads. @throws where the bucket has no such backup */
export async function fetchArchive(storage: Storage, key: string, folder: string): Promise<void> {
  const names = [...sections.map((section) => basename(fileOf(folder, section))), 'manifest.json']
  for (const name of names)
    if (!(await storage.export(`${key}/${name}`, join(folder, name))))
      throw new Error(`The bucket has no complete backup at ${key}: ${name} is missing`)
}

/** Puts the uploads of a backup on the disk back where the server looks for them. @returns how many */
export async function restoreUploads(storage: Storage, folder: string): Promise<number> {
  const root = join(folder, uploads)
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => [])
  const files = entries.filter((entry) => entry.isFile())
  for (const { parentPath, name } of files) {
    const path = join(parentPath, name)
    await storage.putFile(relative(root, path), path, contentType)
  }
  return files.length
}

/** The same within the bucket. @returns how many */
export async function restoreUploadsInBucket(storage: Storage, key: string): Promise<number> {
  let count = 0
  const prefix = `${key}/${uploads}/`
  await forEachKey(storage.list(prefix), async (one) => {
    await storage.copy(one, one.slice(prefix.length))
    count += 1
  })
  return count
}
