import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import { freePort } from './balancer.ts'
import { until } from './wait.ts'

/** Value for the `skip` option of tests that need PgBouncer. */
export const withoutPgBouncer: string | false =
  spawnSync('pgbouncer', ['--version']).error !== undefined && 'PgBouncer is not installed'

/** Another account if this process is root, because PgBouncer refuses to run as root. */
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

const isListening = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true))
    socket.on('error', () => resolve(false)).on('connect', () => socket.destroy())
  })

/** Starts PgBouncer in front of a database. Returns the URL of the database through PgBouncer. */
export async function startPgBouncer(t: Test, databaseUrl: string, poolMode: string, settings = ''): Promise<string> {
  const [url, port] = [new URL(databaseUrl), await freePort()]
  const folder = await mkdtemp(join(tmpdir(), 'lanewire-pgbouncer-'))
  t.teardown(() => rm(folder, { recursive: true }))
  const file = join(folder, 'pgbouncer.ini')
  const { hostname, port: target, username, password } = url
  await writeFile(
    file,
    `[databases]
* = host=${hostname} port=${target} user=${username} password=${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${poolMode}
max_client_conn = 200
default_pool_size = 50
${settings}
`,
  )
  await chmod(folder, 0o755)
  const child = spawn('pgbouncer', ['--quiet', file], { stdio: 'ignore', ...nobody })
  process.once('exit', () => child.kill('SIGKILL'))
  const ended = once(child, 'exit')
  t.teardown(async () => {
    child.kill('SIGKILL')
    await ended
  })
  await until('PgBouncer', async () => {
    if (child.exitCode !== null) throw new Error(`PgBouncer ended with ${child.exitCode}`)
    return isListening(port)
  })
  // PgBouncer rejects session settings in the URL.
  return Object.assign(url, { hostname: '127.0.0.1', port: String(port), search: '' }).href
}
