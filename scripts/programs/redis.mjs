import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { delimiter, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Fault, print } from '../console.mjs'
import { commandOf, endPid, freePort, isAlive } from './processes.mjs'
import { canFetchPackage, fetchPackage, findFetched, isExecutable } from './redis-package.mjs'
import { inRoot } from '../root.mjs'

/** @typedef {{ url: string, child: import('node:child_process').ChildProcess }} RunningRedis */

const INSTALLERS = [
  ['/usr/bin/apt-get', 'sudo apt-get install redis-server'],
  ['/usr/bin/dnf', 'sudo dnf install valkey'],
  ['/sbin/apk', 'sudo apk add valkey'],
  ['/usr/bin/pacman', 'sudo pacman -S valkey'],
]

const fetchedIn = inRoot('.data')

function whatToInstall() {
  const command = INSTALLERS.find(([path = '']) => isExecutable(path))?.[1] ?? 'brew install redis'
  return `Lanewire needs Redis 7 or Valkey and found neither: install one (${command}), or set REDIS_URL to one that runs.`
}

/** True for Redis 7 and Valkey 7.2 or newer, which sharded pub/sub requires. @param {import('./redis-package.mjs').Program} program */
function isRecent({ path, env }) {
  const { stdout } = spawnSync(path, ['--version'], { encoding: 'utf8', env: { ...process.env, ...env } })
  return Number(/v=(\d+)/.exec(stdout ?? '')?.[1] ?? 0) >= 7
}

function findServer() {
  const folders = [
    ...(process.env['PATH'] ?? '').split(delimiter),
    '/usr/bin',
    '/usr/sbin',
    '/usr/local/bin',
    '/opt/homebrew/bin',
  ]
  const installed = folders
    .flatMap((folder) => [join(folder, 'redis-server'), join(folder, 'valkey-server')])
    .filter(isExecutable)
    .map((path) => ({ path, env: {} }))
  const fetched = findFetched(fetchedIn)
  return [...installed, ...(fetched ? [fetched] : [])].find(isRecent)
}

/** @type {Promise<string> | undefined} */
let fetching

/** Fetches Redis once per process. @returns {Promise<string>} the error, or '' on success */
function fetchServer() {
  if (fetching === undefined) print('Redis is not installed; unpacking the redis-server package below .data …')
  return (fetching ??= fetchPackage(fetchedIn).catch((/** @type {Error} */ error) => error.message))
}

/** Starts to fetch Redis in the background if it is missing. @throws {Fault} if it is missing and this system cannot fetch it */
export function requireRedis() {
  if (process.env['REDIS_URL'] || findServer() !== undefined) return
  if (!canFetchPackage()) throw new Fault(whatToInstall())
  void fetchServer()
}

/** Returns the installed or fetched Redis. @throws {Fault} if Redis is missing and cannot be fetched */
async function ensureServer() {
  const found = findServer()
  if (found !== undefined) return found
  const complaint = canFetchPackage() ? await fetchServer() : ''
  const server = findServer()
  if (server === undefined) throw new Fault([complaint.trim(), whatToInstall()].filter(Boolean).join('\n'))
  return server
}

/** True once the server has loaded its data. @param {number} port @param {string} password @returns {Promise<boolean>} */
function answers(port, password) {
  return new Promise((resolve) => {
    let answer = ''
    const socket = connect(port, '127.0.0.1', () => socket.end(`AUTH ${password}\r\nPING\r\nQUIT\r\n`))
    socket.on('data', (bytes) => (answer += bytes))
    socket.on('error', () => {})
    socket.on('close', () => resolve(answer.includes('+PONG')))
  })
}

/** @param {string} pidFile @param {string} data */
async function clearLeftover(pidFile, data) {
  if (!existsSync(pidFile)) return
  const pid = Number.parseInt(readFileSync(pidFile, 'utf8'), 10)
  if (isAlive(pid) && commandOf(pid).includes(data)) await endPid(pid, 'SIGTERM')
  rmSync(pidFile, { force: true })
}

/** Resolves once Redis is ready. @param {{ folder: string, log: string, throwAway: boolean }} options @returns {Promise<RunningRedis>} */
export async function startRedis({ folder, log, throwAway }) {
  const server = await ensureServer()
  const data = join(folder, 'redis')
  mkdirSync(data, { recursive: true })
  const pidFile = join(data, 'server.pid')
  await clearLeftover(pidFile, data)
  const port = await freePort()
  const password = randomBytes(18).toString('base64url')
  const output = openSync(log, 'a')
  const args = [
    inRoot('redis.conf'),
    '--dir',
    data,
    '--port',
    String(port),
    '--appendonly',
    throwAway ? 'no' : 'yes',
    '-',
  ]
  const child = spawn(server.path, args, {
    cwd: data,
    env: { ...process.env, ...server.env },
    detached: true,
    stdio: ['pipe', output, output],
  })
  // Every account can read a process's arguments, so pass the password through stdin. `clearLeftover` looks for --dir in the arguments.
  child.stdin?.on('error', () => {})
  child.stdin?.end(`bind 127.0.0.1\nrequirepass ${password}\nset-proc-title no\n`)
  writeFileSync(pidFile, String(child.pid))
  while (!(await answers(port, password))) {
    if (child.exitCode !== null) throw new Fault(`${server.path} did not start; its log is ${log}`)
    await delay(20)
  }
  return { url: `redis://:${password}@127.0.0.1:${port}`, child }
}
