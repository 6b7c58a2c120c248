import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { accessSync, constants, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { delimiter, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Fault, say } from './console.mjs'
import { commandOf, endPid, exec, freePort, isAlive } from './processes.mjs'
import { inRoot } from './root.mjs'

/** @typedef {{ url: string, child: import('node:child_process').ChildProcess }} RunningRedis */

/** What installs it, by what machines have to install things with. */
const INSTALLERS = [
  ['/usr/bin/apt-get', 'sudo apt-get install redis-server'],
  ['/usr/bin/dnf', 'sudo dnf install valkey'],
  ['/sbin/apk', 'sudo apk add valkey'],
  ['/usr/bin/pacman', 'sudo pacman -S valkey'],
]

function threeWays() {
  const command = INSTALLERS.find(([path = '']) => isExecutable(path))?.[1] ?? 'brew install redis'
  return `Lanewire needs Redis 7 (or Valkey) and found none. Three ways to get one:
  1. install it:          ${command}
  2. run it in Docker:    docker run -d -p 127.0.0.1:6379:6379 redis:8 --maxmemory-policy noeviction
                          and   REDIS_URL=redis://127.0.0.1:6379 npm start
  3. use one of your own: REDIS_URL=redis://… npm start`
}

/** @param {string} path */
function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Sharded pub/sub came with Redis 7 and Valkey 7.2; an older server is as good as none. @param {string} path */
function isRecent(path) {
  const { stdout } = spawnSync(path, ['--version'], { encoding: 'utf8' })
  return Number(/v=(\d+)/.exec(stdout)?.[1] ?? 0) >= 7
}

function findServer() {
  const folders = [
    ...(process.env['PATH'] ?? '').split(delimiter),
    '/usr/bin',
    '/usr/sbin',
    '/usr/local/bin',
    '/opt/homebrew/bin',
  ]
  const candidates = folders.flatMap((folder) => [join(folder, 'redis-server'), join(folder, 'valkey-server')])
  return candidates.find((path) => isExecutable(path) && isRecent(path))
}

function canInstall() {
  if (process.getuid?.() !== 0 || !isExecutable('/usr/bin/apt-get') || !existsSync('/etc/os-release')) return false
  return /^ID(_LIKE)?=.*(debian|ubuntu)/m.test(readFileSync('/etc/os-release', 'utf8'))
}

/** @throws {Fault} where there is no Redis and none that we may install: said before anything takes its time */
export function requireRedis() {
  if (!process.env['REDIS_URL'] && findServer() === undefined && !canInstall()) throw new Fault(threeWays())
}

/** Installs the distribution's package without letting it start a server of its own. */
async function install() {
  say('Redis is not installed; installing the redis-server package with apt-get …')
  const policy = '/usr/sbin/policy-rc.d'
  const isOurs = !existsSync(policy)
  if (isOurs) writeFileSync(policy, '#!/bin/sh\nexit 101\n', { mode: 0o755 })
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const apt = (/** @type {string[]} */ ...args) =>
    exec('apt-get', ['-qq', ...args], { env, stdio: ['ignore', 'ignore', 'inherit'] })
  try {
    const get = () => apt('install', '-y', '--no-install-recommends', 'redis-server')
    if ((await get()) !== 0) {
      await apt('update')
      await get()
    }
  } finally {
    if (isOurs) rmSync(policy, { force: true })
  }
  return findServer()
}

/** True once the server has read its data back. @param {number} port @param {string} password @returns {Promise<boolean>} */
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

/**
 * Starts Redis with our redis.conf and its data below `folder`, and waits until it answers.
 * @param {{ folder: string, log: string, throwAway: boolean }} options
 * @returns {Promise<RunningRedis>}
 */
export async function startRedis({ folder, log, throwAway }) {
  const server = findServer() ?? (canInstall() ? await install() : undefined)
  if (!server) throw new Fault(threeWays())
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
  const child = spawn(server, args, { cwd: data, detached: true, stdio: ['pipe', output, output] })
  // The password goes through the pipe, not the arguments, which every account here can read; the title keeps --dir, by which a leftover is known.
  child.stdin?.on('error', () => {})
  child.stdin?.end(`bind 127.0.0.1\nrequirepass ${password}\nset-proc-title no\n`)
  writeFileSync(pidFile, String(child.pid))
  while (!(await answers(port, password))) {
    if (child.exitCode !== null) throw new Fault(`${server} did not start; its log is ${log}`)
    await delay(20)
  }
  return { url: `redis://:${password}@127.0.0.1:${port}`, child }
}
