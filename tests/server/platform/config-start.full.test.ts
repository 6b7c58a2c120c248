import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { promisify } from 'node:util'
import fastify from 'fastify'
import t from 'tap'
import { migrateToLatest } from '#server/db/migrate.ts'
import { StartFault } from '#server/errors.ts'
import { listenAt } from '#server/platform/http/listen.ts'
import { program, testServices } from '#tests/support/services.ts'

const production = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://lanewire.example',
  DATABASE_URL: `postgres://lanewire:${randomBytes(24).toString('hex')}@postgres/lanewire`,
  REDIS_URL: 'redis://redis',
  SESSION_SECRET: randomBytes(32).toString('base64url'),
  SMTP_URL: 'smtps://mail.example',
  MAIL_FROM: 'Quiet Lorries <no-reply@quiet-lorries.example>',
  MAIL_SUPPORT: 'help@quiet-lorries.example',
  STRIPE_SECRET_KEY: 'sk_live_x',
  STRIPE_PUBLISHABLE_KEY: 'pk_live_x',
  STRIPE_WEBHOOK_SECRET: 'whsec_x',
}
const without = (...names: (keyof typeof production)[]) => Object.fromEntries(names.map((name) => [name, undefined]))
const noStripe = without('STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY', 'STRIPE_WEBHOOK_SECRET')

t.test('prints all reasons at once when the configuration is invalid, and exits', async (t) => {
  const env = {
    PATH: process.env['PATH'],
    ...production,
    ...noStripe,
    ...without('SMTP_URL', 'MAIL_FROM', 'MAIL_SUPPORT'),
    SESSION_SECRET: 'x'.repeat(40),
  }
  const started = promisify(execFile)(process.execPath, program('server/main'), { env })
  const names = ['SESSION_SECRET:', 'STRIPE_SECRET_KEY,', 'SMTP_URL:', 'MAIL_FROM:', 'MAIL_SUPPORT:']
  const stderr = new RegExp(`^Configuration is not usable:\n${names.map((name) => `  - ${name} .+\n`).join('')}$`)
  await t.rejects(started, { code: 1, stderr })
})

t.test('names an unusable database or address with the reason', async (t) => {
  const { DATABASE_URL } = await testServices(t)
  const refusal = async (change: (url: URL) => void) => {
    const url = new URL(DATABASE_URL)
    change(url)
    return migrateToLatest(url.href).then(() => '', String)
  }
  const { hostname, port } = new URL(DATABASE_URL)
  // Nothing listens on port 1. If `localhost` has several addresses, Node reports an aggregate error without a message.
  t.match(
    await refusal((url) => (url.host = 'localhost:1')),
    /PostgreSQL at localhost:1, which DATABASE_URL names, cannot be used: (connect )?ECONNREFUSED.*$/,
  )
  t.match(
    await refusal((url) => (url.pathname = '/nowhere')),
    new RegExp(`PostgreSQL at ${hostname}:${port}, .+: database "nowhere" does not exist$`),
  )
  t.match(
    await refusal((url) => (url.username = 'nobody')),
    new RegExp(`PostgreSQL at ${hostname}:${port}, .+: .+"nobody".*$`),
  )
  await t.rejects(
    listenAt(fastify(), { host: '192.0.2.1', port: 0 }, 'HOST and PORT'),
    new StartFault('Port 0 of 192.0.2.1 cannot be listened on (EADDRNOTAVAIL). Choose another one with HOST and PORT'),
  )
})

t.test('reports an occupied port in one line and exits', async (t) => {
  const services = await testServices(t)
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  t.teardown(() => taken.close())
  const { port } = taken.address() as AddressInfo
  for (const name of ['PORT', 'METRICS_PORT']) {
    const own = { LOG_LEVEL: 'fatal', DEMO_SEED: 'off', PORT: '0', [name]: String(port) }
    const env = { PATH: process.env['PATH'], ...services, ...own }
    const stderr = `Port ${port} of 127.0.0.1 is already in use by another program. Choose another one with HOST and ${name}\n`
    await t.rejects(promisify(execFile)(process.execPath, program('server/main'), { env }), { code: 1, stderr })
  }
})
