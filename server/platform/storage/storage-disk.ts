import { randomUUID } from 'node:crypto'
import { createReadStream, type Dirent } from 'node:fs'
import { chmod, copyFile, link, mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve, sep } from 'node:path'
import { type Storage, StorageAway, StorageFull } from './storage.ts'

/** Only the server's own account may read the files, which include license scans and private messages. */
const [ownFolder, ownFile] = [0o700, 0o600]

/** Errors of a failing disk, for example one remounted read-only, or of a network disk that does not respond. */
const faults = new Set('EIO EROFS ESTALE ENODEV ENOTCONN ETIMEDOUT EHOSTDOWN'.split(' '))

function toAway(error: NodeJS.ErrnoException): never {
  if (error.code === 'ENOSPC' || error.code === 'EDQUOT')
    throw new StorageFull(`The disk of STORAGE_DIR is full (${error.message})`, { cause: error })
  throw faults.has(error.code ?? '') ? new StorageAway(error.message, { cause: error }) : error
}

/** Spreads objects over 256 subfolders, named after the last two digits of the object's id. */
export function openDiskStorage(folder: string): Storage {
  const root = resolve(folder)
  const folderOf = (objectId: string) => inside(root, join(root, objectId.slice(-2), objectId))
  const pathOf = (key: string) => {
    const [objectId = '', ...name] = key.split('/')
    return inside(root, join(folderOf(objectId), ...name))
  }
  return {
    put: (key, content) => writeAtomically(pathOf(key), (draft) => writeFile(draft, content, { mode: ownFile })),
    putFile: (key, source) =>
      writeAtomically(pathOf(key), async (draft) => {
        await copyFile(source, draft)
        await chmod(draft, ownFile)
      }),
    async open(key) {
      const file = await open(pathOf(key)).catch(absent)
      if (file === undefined) return undefined
      const { size } = await file.stat()
      return { body: createReadStream('', { fd: file }), bytes: size }
    },
    read: (key) => readFile(pathOf(key)).catch(absent),
    async *list(prefix = '') {
      for (const spread of await foldersIn(root))
        // Skip folders that other programs made, such as `lost+found`.
        for (const objectId of spread.length === 2 ? await foldersIn(join(root, spread)) : [])
          for await (const key of filesIn(join(root, spread, objectId), objectId))
            if (key.startsWith(prefix) && !key.endsWith('.tmp')) yield key
    },
    async export(key, path) {
      await mkdir(dirname(path), { recursive: true, mode: ownFolder })
      // Files never change in place, so a hard link works as a copy and takes no space. Links fail across disks, so copy then.
      return await link(pathOf(key), path)
        .catch(() => copyFile(pathOf(key), path))
        .then(() => true, absentOrAway)
    },
    async copy(key, toKey) {
      return await writeAtomically(pathOf(toKey), (draft) => copyFile(pathOf(key), draft)).then(
        () => true,
        absentOrAway,
      )
    },
    remove: (key) => rm(pathOf(key), { force: true }).catch(toAway),
    removeObject: (objectId) => rm(folderOf(objectId), { recursive: true, force: true }).catch(toAway),
  }
}

/** Writes a draft and renames it. After a crash, the file has either its old or its new content, never a part of it. */
async function writeAtomically(path: string, write: (draft: string) => Promise<void>): Promise<void> {
  const firstMade = await mkdir(dirname(path), { recursive: true, mode: ownFolder }).catch(toAway)
  const draft = `${path}.${randomUUID()}.tmp`
  try {
    await write(draft)
    await sync(draft, 'r+')
    await rename(draft, path)
    await syncNames(path, firstMade)
  } catch (error) {
    // Remove the draft. Otherwise each retry would use up more of a full disk.
    await rm(draft, { force: true })
    toAway(error as NodeJS.ErrnoException)
  }
}

async function sync(path: string, flags: 'r' | 'r+'): Promise<void> {
  const file = await open(path, flags)
  try {
    await file.datasync()
  } finally {
    await file.close()
  }
}

/** Error codes of platforms and network disks that cannot sync a folder, and of a folder removed with its object meanwhile. */
const unsyncable = new Set('EACCES EBADF EINVAL EISDIR ENOENT ENOSYS ENOTSUP EOPNOTSUPP EPERM'.split(' '))

/** Makes the name of a new file survive a power failure, and the names of new folders from `firstMade` on. */
async function syncNames(path: string, firstMade: string | undefined): Promise<void> {
  const folder = dirname(path)
  await sync(folder, 'r').catch((error: NodeJS.ErrnoException) => {
    if (!unsyncable.has(error.code ?? '')) throw error
  })
  if (firstMade !== undefined && folder.startsWith(firstMade)) await syncNames(folder, firstMade)
}

/** Returns `path`. @throws if it is not inside `root`, as with a storage key that contains `..` */
function inside(root: string, path: string): string {
  if (!path.startsWith(root + sep)) throw new Error('a storage key points outside its folder')
  return path
}

/** Returns nothing if the folder does not exist, for example because an object was removed meanwhile. */
async function entriesIn(folder: string): Promise<Dirent[]> {
  return (await readdir(folder, { withFileTypes: true }).catch(absent)) ?? []
}

/** Includes symbolic links, because a folder may have been moved to another disk. */
async function foldersIn(folder: string): Promise<string[]> {
  return (await entriesIn(folder)).filter((entry) => !entry.isFile()).map(({ name }) => name)
}

async function* filesIn(folder: string, key: string): AsyncGenerator<string> {
  for (const entry of await entriesIn(folder)) {
    const [path, name] = [join(folder, entry.name), `${key}/${entry.name}`]
    if (entry.isDirectory()) yield* filesIn(path, name)
    else yield name
  }
}

function absentOrAway(error: NodeJS.ErrnoException): false {
  return absent(error) ?? false
}

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT') return undefined
  toAway(error)
}
