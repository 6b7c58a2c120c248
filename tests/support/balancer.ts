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

/** Below those from which a system gives one to whoever asks for any: before its process listens there, nobody is given it. */
const ports = { from: 20_000, count: 10_000 }

/** Asked for before its process starts: others have to know where it will be. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(ports.from + randomInt(ports.count), '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch {
    return freePort()
  }
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

const findHaproxy = (): string | undefined =>
  [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin']
    .map((folder) => join(folder, 'haproxy'))
    .find((path) => existsSync(path))

/** The balancer of compose.yaml as it stands there; it finds its servers by address instead of by Docker's names. */
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

/**
 * The balancer of compose.yaml before these servers, in a process of its own, with this TRUST_PROXY of `.env`. Answers where it
 * listens; undefined where HAProxy is not installed.
 */
export async function startBalancer(t: Test, nodes: readonly string[], trust = 'on'): Promise<string | undefined> {
  const haproxy = findHaproxy()
  if (haproxy === undefined) return undefined
  const port = await freePort()
  const file = join(t.testdir(), 'haproxy.cfg')
  await writeFile(file, await configOf(port, nodes))
  const env = { ...process.env, TRUST_PROXY: trust }
  const child = spawn(haproxy, ['-db', '-q', '-f', file], { env, stdio: ['ignore', 'inherit', 'inherit'] })
  const ended = once(child, 'exit')
  // A test process that fails outside its tests ends without their teardown.
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
