import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { inRoot, root } from '../root.mjs'

/** @param {string} path @returns {string[]} */
function filesBelow(path) {
  if (!existsSync(path)) return []
  if (statSync(path).isFile()) return [path]
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .toSorted()
}

/** Hashes paths and contents, not modification times: a checkout changes them. @param {string[]} sources relative to the project */
export function hashOf(sources) {
  const hash = createHash('sha256').update(process.versions.modules)
  for (const file of sources.flatMap((source) => filesBelow(inRoot(source))))
    hash.update('\0').update(relative(root, file)).update('\0').update(readFileSync(file))
  return hash.digest('hex').slice(0, 20)
}

const inUseMs = 3 * 3_600_000

/** Deletes entries that were not used for three hours, except the `most` newest. @param {string} folder @param {number} most */
function keepNewest(folder, most) {
  const used = (/** @type {string} */ name) => statSync(join(folder, name)).mtimeMs
  const names = readdirSync(folder).toSorted((a, b) => used(b) - used(a))
  for (const name of names.slice(most))
    if (Date.now() - used(name) > inUseMs) rmSync(join(folder, name), { recursive: true, force: true })
}

/**
 * Fills a folder unless it exists. If two runs fill it at the same time, the first to finish wins. Also removes old sibling folders.
 * @param {string} folder named after a hash of its sources @param {number} most @param {(fresh: string) => Promise<void>} fill
 */
export async function keepFolder(folder, most, fill) {
  if (!existsSync(folder)) {
    const fresh = `${folder}.${process.pid}`
    await fill(fresh)
    keepNewest(dirname(folder), most)
    if (existsSync(folder)) rmSync(fresh, { recursive: true })
    else renameSync(fresh, folder)
  }
  utimesSync(folder, new Date(), new Date())
}
