import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Test } from 'tap'
import { cloneDatabase, testEnvironment } from './services.ts'

/** Starts the built server on a new demo database, or on the database in `env`. Returns the URL without a trailing slash. */
export async function startProduct(t: Test, env: Record<string, string> = {}): Promise<string> {
  const id = randomBytes(6).toString('hex')
  const server = spawn(process.execPath, [join('dist', 'server', 'main.js')], {
    env: {
      ...process.env,
      NODE_ENV: 'development',
      PORT: '0',
      DEMO: 'on',
      DEMO_DIRECTOR: 'off',
      BACKUP_HOUR_UTC: 'off',
      LOG_LEVEL: 'warn',
      // Several servers and browsers share this machine, so connecting may take longer.
      DATABASE_CONNECT_MS: '20000',
      DATABASE_URL: env['DATABASE_URL'] ?? (await cloneDatabase(t, 'TEST_DEMO_TEMPLATE')),
      REDIS_URL: testEnvironment('TEST_REDIS_URL'),
      REDIS_PREFIX: `e${id}`,
      DATA_DIR: join(testEnvironment('TEST_DATA_DIR'), id),
      STORAGE_DIR: join(testEnvironment('TEST_DATA_DIR'), 'demo', 'storage'),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(server, 'exit')
  // Also stop the server on exit, because teardown does not run if the test process fails outside a test.
  process.once('exit', () => server.kill('SIGKILL'))
  t.teardown(async () => {
    server.kill('SIGTERM')
    await ended
  })
  return new Promise((resolve, reject) => {
    createInterface({ input: server.stdout }).on('line', (line) => {
      const url = /ready at (http\S+)/.exec(line)?.[1]
      if (url !== undefined) resolve(url.replace(/\/$/, ''))
    })
    ended.then(([code]) => reject(new Error(`the server ended with ${code} before it was ready`)), reject)
  })
}
