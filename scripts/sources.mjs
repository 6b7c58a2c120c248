import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { inRoot } from './root.mjs'

/** Code files below these folders of the project, as absolute paths. @param {string[]} folders */
export function sourceFiles(folders) {
  return folders
    .filter((folder) => existsSync(inRoot(folder)))
    .flatMap((folder) =>
      readdirSync(inRoot(folder), { recursive: true, encoding: 'utf8' }).map((name) => join(inRoot(folder), name)),
    )
    .filter((file) => /\.(tsx?|mjs)$/.test(file) && !file.includes('node_modules'))
    .toSorted()
}
