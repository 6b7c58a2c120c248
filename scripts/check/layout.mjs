import { existsSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { inRoot, root } from '../root.mjs'

const AGREED = [
  'package.json',
  'client',
  'server',
  'shared',
  'redis.conf',
  'compose.yaml',
  'tests',
  'tsconfig.base.json',
]

const IMPORT = /^(?:import|export) [^\n]*?from '(?<name>[^']+)'/gm

/** Returns packages that load before `ensureInstalled` can run. @param {string} file @param {Set<string>} [seen] @returns {string[]} */
function earlyPackages(file, seen = new Set()) {
  if (seen.has(file)) return []
  seen.add(file)
  return [...readFileSync(file, 'utf8').matchAll(IMPORT)].flatMap(({ groups }) => {
    const name = groups?.['name'] ?? ''
    if (name.startsWith('node:')) return []
    return name.startsWith('.') ? earlyPackages(join(file, '..', name), seen) : [`${name} in ${relative(root, file)}`]
  })
}

/** Returns the files that package.json runs with node. Each file must install the packages before it imports any of them. */
function commandFiles() {
  const { scripts } = /** @type {{ scripts: Record<string, string> }} */ (
    JSON.parse(readFileSync(inRoot('package.json'), 'utf8'))
  )
  return Object.values(scripts).flatMap((command) => /^node (scripts\/\S+)/.exec(command)?.[1] ?? [])
}

export async function checkLayout() {
  const missing = AGREED.filter((name) => !existsSync(inRoot(name)))
  if (missing.length > 0) return `The top level lacks ${missing.join(', ')}: keep the agreed names.`
  const early = [...new Set(commandFiles().flatMap((file) => earlyPackages(inRoot(file))))]
  return early.length > 0 ? `Import these after the packages are installed, with import(): ${early.join(', ')}` : ''
}
