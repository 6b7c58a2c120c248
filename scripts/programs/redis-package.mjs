import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { exec } from './processes.mjs'

/** @typedef {{ path: string, env: Record<string, string> }} Program `env` has variables to add to the environment */

const APT = '/usr/bin/apt-get'
const DPKG_DEB = '/usr/bin/dpkg-deb'

/** @param {string} path */
export function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** True if `fetchPackage` works here: on Debian and its derivatives, even without root. */
export const canFetchPackage = () => [APT, DPKG_DEB].every(isExecutable)

/** @param {string} folder the folder passed to `fetchPackage` */
const unpackedIn = (folder) => join(folder, 'redis-server')

/** Returns the folders below `root` that contain shared libraries. @param {string} root */
function libraryFolders(root) {
  const parents = ['lib', 'usr/lib'].map((name) => join(root, name)).filter((path) => existsSync(path))
  const entries = (/** @type {string} */ parent) => readdirSync(parent, { withFileTypes: true })
  const folders = parents.flatMap((parent) => [
    parent,
    ...entries(parent).flatMap((entry) => (entry.isDirectory() ? join(parent, entry.name) : [])),
  ])
  return folders.filter((folder) => entries(folder).some(({ name }) => /\.so(\.|$)/.test(name)))
}

/** Returns the Redis that `fetchPackage` unpacked into this folder. @param {string} folder @returns {Program | undefined} */
export function findFetched(folder) {
  const home = unpackedIn(folder)
  const path = join(home, 'usr', 'bin', 'redis-server')
  if (!isExecutable(path)) return undefined
  const known = process.env['LD_LIBRARY_PATH']
  const libraries = [...libraryFolders(home), ...(known ? [known] : [])]
  return { path, env: libraries.length > 0 ? { LD_LIBRARY_PATH: libraries.join(':') } : {} }
}

/** @param {string[]} args @returns {Promise<string>} apt-get's error output, or '' on success */
async function apt(args) {
  const child = spawn(APT, ['-qq', ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  // apt-get writes errors to both stdout and stderr.
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => (output += bytes))
  const [code] = await once(child, 'close')
  return code === 0 ? '' : output || `apt-get ended with ${code}`
}

/**
 * Unpacks redis-server and its missing dependencies into `folder`. Does not install them, so it does not require root.
 * @param {string} folder @param {string[]} [options] for apt-get @returns {Promise<string>} the error, or '' on success
 */
export async function fetchPackage(folder, options = []) {
  mkdirSync(folder, { recursive: true })
  const scratch = mkdtempSync(join(folder, 'redis-server-'))
  const [archives, lists, fresh] = [join(scratch, 'cache', 'archives'), join(scratch, 'lists'), join(scratch, 'fresh')]
  for (const path of [join(archives, 'partial'), join(lists, 'partial'), fresh]) mkdirSync(path, { recursive: true })
  const settings = [
    `Dir::Cache=${join(scratch, 'cache')}`,
    // Skip the locks. They belong to root and protect the system's packages, which this command does not change.
    'Debug::NoLocking=true',
    // When run as root, apt would download with another account, which may have no write access to this folder.
    'APT::Sandbox::User=root',
    'Acquire::Languages=none',
    'Acquire::Retries=2',
    ...options,
  ].flatMap((setting) => ['-o', setting])
  const ownLists = ['-o', `Dir::State::Lists=${lists}`]
  const download = (/** @type {string[]} */ more) =>
    apt([...settings, ...more, 'install', '-y', '--download-only', '--no-install-recommends', 'redis-server'])
  try {
    // Use the machine's package lists if they work. Containers often have none, and outdated lists refer to removed versions.
    if ((await download([])) !== '') {
      const complaint = (await apt([...settings, ...ownLists, 'update'])) || (await download(ownLists))
      if (complaint !== '') return complaint
    }
    for (const name of readdirSync(archives).filter((name) => name.endsWith('.deb')))
      if ((await exec(DPKG_DEB, ['-x', join(archives, name), fresh])) !== 0) return `${name} could not be unpacked`
    // Another run may have finished first.
    if (findFetched(folder) === undefined) renameSync(fresh, unpackedIn(folder))
    return findFetched(folder) ? '' : 'the package redis-server holds no redis-server'
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}
