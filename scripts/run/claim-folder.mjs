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

const runFile = join(dataFolder, 'run.pid')

/** Returns the process that has claimed the data folder, and the address if it serves the product. */
function claimant() {
  if (!existsSync(runFile)) return undefined
  const [id = '', address] = readFileSync(runFile, 'utf8').split(' ')
  const pid = Number(id)
  const isOther = pid > 0 && pid !== process.pid && isAlive(pid)
  if (!isOther || !/(start|dev|restore|admin|remove-demo)\.mjs/.test(commandOf(pid))) return undefined
  return { pid, address }
}

/** Claims the data folder. Fails if another run has it, because two runs would stop each other's database. @param {string} [address] */
export function claimFolder(address) {
  const other = claimant()
  if (other) {
    const at = other.address ? `, ${other.address}` : ''
    throw new Fault(
      `Lanewire already runs from this folder (process ${other.pid}${at}). Stop that one first (Ctrl-C, or kill ${other.pid}).`,
    )
  }
  mkdirSync(dataFolder, { recursive: true })
  writeFileSync(runFile, address ? `${process.pid} ${address}` : String(process.pid))
  return () => rmSync(runFile, { force: true })
}

/** @param {number} port */
export const localAddress = (port) => `http://localhost:${port}`

/** Returns the address that the server prints. Undefined if PORT is 0, because the system then chooses a port. @param {number} port */
const addressAt = (port) => process.env['PUBLIC_URL'] || (port ? localAddress(port) : undefined)

/** Returns the address for a printed link: PUBLIC_URL or PORT if set, otherwise the address of the product that runs from this folder. */
export function productAddress() {
  const isSet = process.env['PUBLIC_URL'] || process.env['PORT']
  return (isSet ? undefined : claimant()?.address) ?? addressAt(wantedPort())
}

/**
 * Claims the data folder, checks the port, installs packages.
 * @param {number} port @param {string} [address] @returns {Promise<() => void>} releases the folder
 */
export async function prepareRun(port, address = addressAt(port)) {
  const release = claimFolder(address)
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
  mkdirSync(dataFolder, { recursive: true })
  if (!existsSync(file)) writeFileSync(file, randomBytes(32).toString('base64url'), { mode: 0o600 })
  return readFileSync(file, 'utf8')
}
