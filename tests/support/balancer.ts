import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { delimiter, join } from 'node:path'
import type { Test } from 'tap'
import { parse } from 'yaml'
import { until } from './wait.ts'

/** Below the ephemeral port range, so that the system does not assign the port to another process. */
const ports = { from: 20_000, count: 10_000 }
const given = new Set<number>()

/** Returns a free port that it has not returned before. Finds it before the process starts, because other processes need the port in their configuration. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(ports.from + randomInt(ports.count), '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch {
    return freePort()
  }
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  if (given.has(port)) return freePort()
  given.add(port)
  return port
}

const findHaproxy = (): string | undefined =>
  [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin']
    .map((folder) => join(folder, 'haproxy'))
    .find((path) => existsSync(path))

async function configOf(port: number, nodes: readonly string[]): Promise<string> {
  const compose = parse(await readFile('compose.yaml', 'utf8')) as { configs: { balancer: { content: string } } }
  const servers = nodes
    .map((url, node) => `server web${node} ${new URL(url).host} check inter 500ms fall 100`)
    .join('\n  ')
  return compose.configs.balancer.content
    .replace(/^resolvers docker\n(?: .*\n)+/m, '')
    .replace('bind :8080', `bind 127.0.0.1:${port}`)
    .replace(/server-template web .*/, servers)
    .replace(/server-template sockets .*/, '')
}

/** Starts the HAProxy of compose.yaml in front of these servers. Returns its URL, or undefined if HAProxy is not installed. */
export async function startBalancer(t: Test, nodes: readonly string[], trust = 'on'): Promise<string | undefined> {
  const haproxy = findHaproxy()
  if (haproxy === undefined) return undefined
  const port = await freePort()
  const file = join(t.testdir(), 'haproxy.cfg')
  await writeFile(file, await configOf(port, nodes))
  const env = { ...process.env, TRUST_PROXY: trust }
  const child = spawn(haproxy, ['-db', '-q', '-f', file], { env, stdio: ['ignore', 'inherit', 'inherit'] })
  const ended = once(child, 'exit')
  // Also stop the balancer on exit, because teardown does not run if the test process fails outside a test.
  process.once('exit', () => child.kill('SIGKILL'))
  t.teardown(async () => {
    child.kill('SIGKILL')
    await ended
  })
  const url = `http://127.0.0.1:${port}`
  const isReady = async () => {
    if (child.exitCode !== null) throw new Error(`HAProxy ended with ${child.exitCode}`)
    return fetch(`${url}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    )
  }
  await until('the balancer to find its servers', isReady)
  return url
}
