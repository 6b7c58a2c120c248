import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Test } from 'tap'
import { program, type TestServices } from './services.ts'

export interface NodeProcess {
  /** Empty for a worker, because a worker does not listen. */
  url: string
  pid: number
  libraries(): Promise<string[]>
  readLog(): string
  /** Sends SIGKILL, which leaves the process no time to clean up, like a power failure. */
  kill(): Promise<void>
}

/** Code that prints the loaded native libraries on SIGUSR2. */
const printLibraries =
  "process.on('SIGUSR2', () => console.log(JSON.stringify(process.report.getReport().sharedObjects)))"

/** Starts a server process that tests can kill. `first` is JavaScript that the process runs first. */
export async function startNode(
  t: Test,
  services: TestServices,
  env: Record<string, string> = {},
  first = '',
): Promise<NodeProcess> {
  const child: ChildProcess = spawn(process.execPath, program('server/main'), {
    env: {
      ...process.env,
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(`${printLibraries};${first}`)}`,
      NODE_ENV: 'test',
      PORT: '0',
      ROLES: 'api,rt',
      DEMO: 'on',
      BACKUP_HOUR_UTC: 'off',
      DEMO_SEED: 'off',
      DEMO_DIRECTOR: 'off',
      LOG_LEVEL: 'fatal',
      RATE_LIMITS: 'off',
      DATABASE_POOL: '5',
      ...services,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  // Also kill the process on exit, because teardown does not run if the test process fails outside a test.
  process.once('exit', () => child.kill('SIGKILL'))
  const kill = async () => {
    child.kill('SIGKILL')
    await ended
  }
  t.teardown(kill)
  let log = ''
  child.stdout?.on('data', (part: Buffer) => (log += part.toString()))
  const lines = createInterface({ input: child.stdout ?? process.stdin })
  const url = await new Promise<string>((resolve, reject) => {
    lines.on('line', (line) => {
      const found = / is ready(?: at (http\S+))?/.exec(line)
      if (found) resolve(found[1]?.replace(/\/$/, '').replace('localhost', '127.0.0.1') ?? '')
    })
    ended.then(([code]) => reject(new Error(`the node ended with ${code} before it was ready`)), reject)
  })
  const libraries = () =>
    new Promise<string[]>((resolve) => {
      lines.on('line', (line) => {
        if (line.startsWith('["')) resolve(JSON.parse(line) as string[])
      })
      child.kill('SIGUSR2')
    })
  return { url, pid: child.pid ?? 0, libraries, readLog: () => log, kill }
}
