import { createServer } from 'node:net'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { Fault } from '../console.mjs'
import { ensureInstalled } from './install.mjs'
import { commandOf, isAlive } from '../programs/processes.mjs'
import { requireRedis } from '../programs/redis.mjs'
import { inRoot } from '../root.mjs'

/** The folder for all data of local runs. Git ignores it, and it can be deleted while nothing is running. */
export const dataFolder = inRoot('.data')

/** Claims the data folder. Fails if another run has it, because two runs would stop each other's database. @param {number} [port] */
export function claimFolder(port) {
  const file = join(dataFolder, 'run.pid')
  mkdirSync(dataFolder, { recursive: true })
  const [pid = 0, at] = existsSync(file) ? readFileSync(file, 'utf8').split(' ').map(Number) : []
  const isOther = pid > 0 && pid !== process.pid && isAlive(pid)
  if (isOther && /(start|dev|screens|bench|restore|admin|remove-demo)\.mjs/.test(commandOf(pid))) {
    throw new Fault(
      `Lanewire already runs from this folder (process ${pid}${at ? `, http://localhost:${at}` : ''}). Stop that one first (Ctrl-C, or kill ${pid}).`,
    )
  }
  writeFileSync(file, port ? `${process.pid} ${port}` : String(process.pid))
  return () => rmSync(file, { force: true })
}

/** Claims the data folder, checks the port, installs packages. @param {number} [port] @returns {Promise<() => void>} releases the folder */
export async function prepareRun(port) {
  const release = claimFolder(port)
  if (port) await requireFreePort(port)
  requireRedis()
  await ensureInstalled()
  return release
}

/** Fails if the port is not available, before any slow step starts. @param {number} port */
async function requireFreePort(port) {
  const server = createServer().listen(port, process.env['HOST'] || '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'EADDRINUSE')
      throw new Fault(`Port ${port} is already in use by another program. Choose another: PORT=${port + 1} npm start`)
    if (code === 'EACCES')
      throw new Fault(`Port ${port} needs more rights than this account has. Choose another: PORT=5000 npm start`)
    throw error
  }
  server.close()
  await once(server, 'close')
}

export function wantedPort() {
  const text = process.env['PORT'] || '5000'
  const port = Number(text)
  if (!Number.isInteger(port) || port < 0 || port > 65535)
    throw new Fault(`PORT must be a number from 0 to 65535; it is "${text}".`)
  return port
}

/** Returns SESSION_SECRET. If it is not set, returns a secret stored on disk, so that a restart does not sign anyone out. */
export function sessionSecret() {
  if (process.env['SESSION_SECRET']) return process.env['SESSION_SECRET']
  const file = join(dataFolder, 'session-secret')
  if (!existsSync(file)) writeFileSync(file, randomBytes(32).toString('base64url'), { mode: 0o600 })
  return readFileSync(file, 'utf8')
}
