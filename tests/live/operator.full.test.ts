import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import t from 'tap'
import type { Backup, Backups } from '#shared/schemas/admin.ts'
import type { AuthenticatorSecret } from '#shared/schemas/auth.ts'
import type { CurrentUser } from '#shared/schemas/dealers.ts'
import type { Answer } from '#tests/support/app.ts'
import { codeOf } from '#tests/support/authenticator.ts'
import { freePort } from '#tests/support/balancer.ts'
import { startMailServer } from '#tests/support/mail-server.ts'
import { aProfile } from '#tests/support/newcomer.ts'
import { startNode } from '#tests/support/node-process.ts'
import { productionCommands } from '#tests/support/production-commands.ts'
import { emptyDatabase, program, testServices } from '#tests/support/services.ts'
import { until } from '#tests/support/wait.ts'

const password = 'seven quiet lorries at dawn'
const dealerEmail = 'first@dealer.example'
const support = 'help@lane.example'
/** Rate limit of sign-ins per minute and address. */
const loginsPerAddress = 20

const listVariables = (): string[] =>
  [...productionCommands().matchAll(/^export (\w+)=/gm)].map(([, name = '']) => name)

type Call = <Body = unknown>(method: string, path: string, body?: unknown) => Promise<Omit<Answer<Body>, 'headers'>>

/** Returns a client that keeps cookies and sends an origin. @param address the client address that the balancer would add */
function openBrowser(origin: string, address = '203.0.113.1'): Call {
  const cookies = new Map<string, string>()
  return async (method, path, body) => {
    const answer = await fetch(origin + path, {
      method,
      redirect: 'manual',
      headers: {
        origin,
        'x-forwarded-for': address,
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      cookies.set(name, value)
    }
    const text = await answer.text()
    return { status: answer.status, body: (text === '' ? undefined : JSON.parse(text)) as never }
  }
}

t.test('follows "Set up production" from an empty database to a network, a backup and its restore', async (t) => {
  const [mail, services, DATABASE_URL] = [await startMailServer(t), await testServices(t), await emptyDatabase(t)]
  mail.accepts = true
  const [port, METRICS_PORT] = [await freePort(), String(await freePort())]
  const origin = `http://127.0.0.1:${port}`
  const values: Record<string, string> = {
    NODE_ENV: 'production',
    PUBLIC_URL: origin,
    TRUST_PROXY: 'on',
    SESSION_SECRET: randomBytes(36).toString('base64'),
    DATABASE_URL,
    REDIS_URL: services.REDIS_URL,
    SMTP_URL: mail.url,
    MAIL_FROM: 'Lane Wholesale <no-reply@lane.example>',
    MAIL_SUPPORT: support,
    BILLING: 'off',
    METRICS_PORT,
    METRICS_TOKEN: randomBytes(24).toString('hex'),
  }
  t.same(listVariables().toSorted(), Object.keys(values).toSorted(), 'docs/operations.md names all required variables')
  const own = { PORT: String(port), REDIS_PREFIX: services.REDIS_PREFIX, DATA_DIR: services.DATA_DIR }
  // Clear the defaults that tests set.
  const unset = { ROLES: '', DEMO: '', DEMO_SEED: '', DEMO_DIRECTOR: '', LOG_LEVEL: '', RATE_LIMITS: '' }
  const first = await startNode(t, services, { ...unset, ...values, ...own })

  const token = await until('the setup link', () => /\/setup#token=([\w-]+)/.exec(first.readLog())?.[1])
  const admin = openBrowser(origin)
  const setup = { name: 'Avery Lane', dealershipName: 'Lane Wholesale', email: 'avery@lane.example', password }
  t.equal((await admin('POST', '/api/auth/setup', { ...setup, token })).status, 201)
  t.match(await admin('GET', '/api/admin/overview'), { body: { error: { code: 'second_factor_required' } } })
  const { secret } = (await admin<AuthenticatorSecret>('POST', '/api/auth/authenticator', { proof: { password } })).body
  t.equal((await admin('POST', '/api/auth/authenticator/confirm', { code: codeOf(secret) })).status, 200)
  t.equal((await admin('GET', '/api/admin/overview')).status, 200)
  t.match(
    (await admin('GET', '/api/admin/network')).body,
    { confirmedOnly: true },
    'the setting is safe until an admin changes it',
  )

  t.equal((await admin('PATCH', '/api/admin/network', { joining: 'invitation' })).status, 200)
  const stranger = openBrowser(origin)
  t.equal((await stranger('POST', '/api/auth/signup', { email: 'stranger@dealer.example', password })).status, 403)
  const asking = { name: 'Rosa Delgado', email: 'rosa@delgado.example', topic: 'sales', message: 'May I join?' }
  t.equal((await stranger('POST', '/api/contact', asking)).status, 204)
  await until('the mail from the contact page', () => mail.mails.find(({ to }) => to === support))
  t.equal((await admin('POST', '/api/admin/invitations', { email: dealerEmail })).status, 201)
  const invitation = await until('the invitation mail', () => mail.mails.find(({ to }) => to === dealerEmail))
  t.match(invitation.text, new RegExp(`${origin}/\\S+token=`))
  t.match(invitation.head, /^From: Lane Wholesale <no-reply@lane\.example>$/m)
  const dealer = openBrowser(origin)
  const link = /token=([\w-]+)/.exec(invitation.text)?.[1]
  t.equal((await dealer('POST', '/api/auth/password/reset', { token: link, password })).status, 200)
  t.equal((await dealer('POST', '/api/auth/login', { email: dealerEmail, password })).status, 200)
  t.equal((await dealer('POST', '/api/auth/complete-profile', { ...aProfile, email: dealerEmail })).status, 200)
  t.equal((await dealer('GET', '/api/inventory?limit=5')).status, 200)

  const guess = (address: string, email: string) =>
    openBrowser(origin, address)('POST', '/api/auth/login', { email, password: 'not the one that it is' })
  const guesses = await Promise.all(
    Array.from({ length: loginsPerAddress + 1 }, (_, n) => guess('203.0.113.2', `dealer${n}@elsewhere.example`)),
  )
  t.ok(guesses.some(({ status }) => status === 429))
  t.equal(
    (await guess('203.0.113.3', 'another@elsewhere.example')).status,
    401,
    'the limit counts each address separately',
  )

  const scrape = await fetch(`http://127.0.0.1:${METRICS_PORT}/metrics`, {
    headers: { authorization: `Bearer ${values['METRICS_TOKEN']}` },
  })
  t.match(await scrape.text(), /lanewire_mails_total\{outcome="sent"\} [1-9]/)

  const { body: begun } = await admin<Backup>('POST', '/api/admin/backups')
  const made = await until('the backup to finish', async () => {
    const { body } = await admin<Backups>('GET', '/api/admin/backups')
    return body.backups.find(({ id, state }) => id === begun.id && state !== 'running')
  })
  t.match(made, { state: 'verified', error: null })
  await first.kill()

  const restored = await emptyDatabase(t)
  const restore = (folder: string) =>
    promisify(execFile)(process.execPath, [...program('server/restore'), folder], {
      env: { PATH: process.env['PATH'], DATABASE_URL: restored },
    })
  await t.rejects(restore('/nowhere'), { code: 1, stderr: /nowhere/ })
  t.match((await restore(made.folder ?? '')).stdout, /^Restored the backup of .+ checked against the backup\.\n$/)
  await t.rejects(restore(made.folder ?? ''), { code: 1, stderr: /^The database is not empty\. .+\n$/ })
  const second = await startNode(t, services, { ...unset, ...values, ...own, DATABASE_URL: restored })
  t.notMatch(second.readLog(), /\/setup/, 'the restored network already has its admin')
  const back = openBrowser(origin)
  t.equal((await back('POST', '/api/auth/login', { email: dealerEmail, password })).status, 200)
  t.match((await back<CurrentUser>('GET', '/api/auth/me')).body, { email: dealerEmail, profileComplete: true })
})
