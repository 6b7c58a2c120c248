import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { Redis } from 'ioredis'
import t, { type Test } from 'tap'
import { program, testServices } from '#tests/support/services.ts'

const services = await testServices(t)
const own = new Redis(services.REDIS_URL)
t.teardown(() => own.disconnect())
const { hostname, port, password } = new URL(services.REDIS_URL)
const place = `${hostname}:${port}`

/** Starts a server. Resolves or rejects with its output and exit code. */
const startWith = (REDIS_URL: string) =>
  promisify(execFile)(process.execPath, program('server/main'), {
    env: { PATH: process.env['PATH'], ...services, LOG_LEVEL: 'fatal', DEMO_SEED: 'off', PORT: '0', REDIS_URL },
  })

async function aUser(t: Test, ...rights: string[]): Promise<string> {
  const [name, secret] = [`t${randomBytes(6).toString('hex')}`, randomBytes(12).toString('hex')]
  await own.acl('SETUSER', name, 'on', `>${secret}`, ...rights)
  t.teardown(() => own.acl('DELUSER', name))
  return `redis://${name}:${secret}@${place}`
}

t.test(
  'stops the start if Redis requires a missing password',
  { skip: password === '' && 'the Redis of this run has no password' },
  async (t) => {
    const stderr = `Redis at ${place} asks for a password, and REDIS_URL has none: write it as redis://:PASSWORD@HOST:PORT\n`
    await t.rejects(startWith(`redis://${place}`), { code: 1, stderr })
  },
)

t.test('stops the start if Redis refuses the password', async (t) => {
  const url = new URL(await aUser(t, '~*', '&*', '+@all'))
  url.password = 'another'
  const stderr = `Redis at ${place} rejects the user name or the password in REDIS_URL\n`
  await t.rejects(startWith(url.href), { code: 1, stderr })
})

t.test('stops the start and names the missing rights of a Redis user', async (t) => {
  const cases = [
    [['~*', '&*', '+@all', '-eval'], /'eval'/],
    [['~elsewhere:*', '&*', '+@all'], /key/],
    [['~*', 'resetchannels', '+@all'], /channel/],
  ] as const
  for (const [rights, missing] of cases) {
    const url = await aUser(t, ...rights)
    const sentence = new RegExp(
      `^Redis at ${place} grants the user in REDIS_URL too few rights: [^\n]*${missing.source}[^\n]*\n$`,
    )
    await t.rejects(startWith(url), { code: 1, stderr: sentence }, rights.join(' '))
  }
})
