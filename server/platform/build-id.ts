import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

const shownCharacters = 12

/**
 * Names the built client in this folder. The index names every hashed asset, so another client has another name; a
 * server without a built client (development, tests) says `source`.
 */
export async function readBuildId(clientDir: string): Promise<string> {
  const index = await readFile(join(clientDir, 'index.html')).catch(() => undefined)
  return index ? createHash('sha256').update(index).digest('hex').slice(0, shownCharacters) : 'source'
}
