import { randomBytes, randomUUID } from 'node:crypto'
import t from 'tap'
import type { ErrorBody } from '#shared/errors.ts'
import type { AccessChanged, AccountSecurity, CreatedApiKey } from '#shared/schemas/account.ts'
import type { PasskeyOptions } from '#shared/schemas/auth.ts'
import { hashSecret } from '#server/platform/secrets.ts'
import { type Answer, type Caller, startApp } from '#tests/support/app.ts'
import { codeOf } from '#tests/support/authenticator.ts'
import { addCalls } from '#tests/support/limits.ts'
import { mailsOf, mailTo } from '#tests/support/mail.ts'
import { cookieOf, createGuarded, password } from '#tests/support/second-factor.ts'

const app = await startApp(t)
const { db } = app.server.ctx
const { addPasskey, as, login, signUp, withApp } = createGuarded(app)

const emailOf = async ({ id }: Caller) =>
  (await db.selectFrom('dealers').select('email').where('id', '=', id).executeTakeFirstOrThrow()).email

async function cameByGoogle(): Promise<Caller> {
  const caller = await app.signIn('Google Motors', { plan: 'enterprise' })
  await age(caller)
  return caller
}

const age = ({ id }: Caller) =>
  db
    .updateTable('sessions')
    .set({ provenAt: new Date(Date.now() - 86_400_000) })
    .where('dealerId', '=', id)
    .execute()

async function becomeEnterprise(id: string): Promise<void> {
  await db.updateTable('dealers').set({ profileCompletedAt: new Date() }).where('id', '=', id).execute()
  const plan = { planId: 'enterprise', status: 'active', priceCents: 9_900 } as const
  await db
    .insertInto('subscriptions')
    .values({ dealerId: id, ...plan })
    .execute()
}

/** Every dealer action that requires the dealer to prove their identity again. */
const acts: Record<string, (caller: Caller, proof?: object) => Promise<{ status: number; body: unknown }>> = {
  address: (caller, proof = {}) =>
    caller.post('/api/profile/email', { email: `next-${caller.id}@dealer.example`, proof }),
  password: (caller, proof = {}) => caller.post('/api/auth/password/change', { newPassword: password, proof }),
  key: (caller, proof = {}) => caller.post('/api/api-keys', { name: 'Program', scope: 'full', proof }),
  factor: (caller, proof = {}) => caller.post('/api/auth/authenticator', { proof }),
  deletion: async (caller, proof = {}) => caller.delete('/api/account', { email: await emailOf(caller), proof }),
}

const anInvitation = {
  name: 'Ann',
  dealershipName: 'Ann Motors',
  dealershipType: 'independent',
  role: 'ops',
}

const linkIn = (text: string) => /verify-email#prove=([\w-]+)/.exec(text)?.[1] ?? ''

t.test('refuses an old session of an account without password and second factor', async (t) => {
  const caller = await cameByGoogle()
  for (const [name, act] of Object.entries(acts)) {
    const { status, body } = await act(caller)
    t.equal(status, 403, name)
    t.equal((body as ErrorBody).error.code, 'proof_required', name)
  }
  t.match((await caller.get<AccountSecurity>('/api/auth/security')).body, { proven: false })
  t.same((await caller.get('/api/api-keys')).body, [])
})

t.test('lets a mailed link prove only the session that opens it, once, for 15 minutes', async (t) => {
  const caller = await cameByGoogle()
  const thief = app.on(app, caller)
  const { id } = caller
  const email = await emailOf(caller)
  t.equal((await thief.post('/api/auth/proof/mail', {})).status, 204)
  const token = linkIn((await mailTo(app, email, /Confirm a change/)).text)
  const other = await app.signIn('Other Motors')
  t.equal((await other.post('/api/auth/proof/confirm', { token })).status, 400, 'another account')
  t.equal((await app.visitor.post('/api/auth/proof/confirm', { token })).status, 401)
  t.equal((await caller.post('/api/auth/proof/confirm', { token: 'nonsense' })).status, 400)

  const owner = await anotherSession(caller)
  t.equal((await owner.post('/api/auth/proof/confirm', { token })).status, 204)
  t.equal((await owner.post('/api/auth/proof/confirm', { token })).status, 400, 'it works once')
  t.equal((await acts['key']!(thief)).status, 403, 'another session opened the link')
  t.match((await owner.get<AccountSecurity>('/api/auth/security')).body, { proven: true })
  t.equal((await acts['key']!(owner)).status, 201)
  t.equal((await acts['address']!(owner)).status, 204)
  await db
    .updateTable('sessions')
    .set({ provenAt: new Date(Date.now() - 16 * 60_000) })
    .where('dealerId', '=', id)
    .execute()
  t.equal((await acts['key']!(owner)).status, 403, 'after 15 minutes')
})

async function anotherSession(caller: Caller): Promise<Caller> {
  const secret = randomBytes(32).toString('base64url')
  const expiresAt = new Date(Date.now() + 3_600_000)
  await db
    .insertInto('sessions')
    .values({ hash: hashSecret(secret), dealerId: caller.id, expiresAt, provenAt: new Date(0) })
    .execute()
  return app.on(app, { ...caller, cookie: `lanewire=${secret}` })
}

t.test('asks an account without a password for its second factor, even in a new session', async (t) => {
  const { caller, secret, id } = await withApp()
  await becomeEnterprise(id)
  await db.updateTable('dealers').set({ passwordHash: null }).where('id', '=', id).execute()
  for (const [name, act] of Object.entries(acts)) t.equal((await act(caller)).status, 403, name)
  t.equal((await acts['key']!(caller, { code: '000000' })).status, 403)
  t.equal((await acts['key']!(caller, { code: codeOf(secret, 1) })).status, 201)
})

t.test('never asks a demo visitor for proof, because they have none', async (t) => {
  const answer = await app.visitor.post<{ user: { id: string } }>('/api/auth/create-dummy', {})
  t.equal(answer.status, 201)
  const caller = { ...as(cookieOf(answer, 'lanewire')), id: answer.body.user.id }
  await age(caller)
  t.match((await caller.get<AccountSecurity>('/api/auth/security')).body, { hasPassword: false, proven: true })
  t.equal((await acts['factor']!(caller)).status, 200)
})

t.test('limits the codes per session to 30 an hour', async (t) => {
  const limited = await startApp(t, { RATE_LIMITS: 'on' })
  const { id, caller, secret } = await createGuarded(limited).withApp()
  const { ctx } = limited.server
  await ctx.db.updateTable('dealers').set({ passwordHash: null }).where('id', '=', id).execute()
  const limit = { name: 'proof-code-hour', max: 30, seconds: 3_600 }
  for (let tries = 0; tries < limit.max; tries += 1) await ctx.limiter.consume(limit, id)
  t.equal((await acts['factor']!(caller, { code: codeOf(secret, 1) })).status, 429)
})

t.test('does not use up the code of an account without a password for a refused change', async (t) => {
  const admin = await withApp(await signUp('admin'))
  const { caller, id, secret, codes } = admin
  const [other, plain] = [await signUp(), await signUp()]
  await becomeEnterprise(id)
  await db.updateTable('dealers').set({ passwordHash: null }).where('id', '=', id).execute()
  for (let made = 0; made < 10; made += 1)
    await db
      .insertInto('apiKeys')
      .values({ dealerId: id, name: 'Program', scope: 'read', prefix: 'lw_live_', hash: randomBytes(32) })
      .execute()
  const reason = 'Somebody has lost a phone'
  const user = (who: string) => `/api/admin/users/${who}`
  const refused: [number, (proof: object) => Promise<Answer>][] = [
    [409, (proof) => caller.post('/api/api-keys', { name: 'One more', scope: 'read', proof })],
    [400, (proof) => caller.post('/api/profile/email', { email: admin.email, proof })],
    [409, (proof) => caller.post('/api/profile/email', { email: other.email, proof })],
    [409, (proof) => caller.delete('/api/account', { email: admin.email, proof })],
    [409, (proof) => caller.delete(`${user(plain.id)}/second-factor`, { reason, proof })],
    [404, (proof) => caller.delete(`${user(plain.id)}/sessions/${'0'.repeat(64)}`, { reason, proof })],
    [409, (proof) => caller.patch(user(plain.id), { email: other.email, proof })],
    [409, (proof) => caller.patch(user(id), { role: 'dealer', proof })],
    [409, (proof) => caller.post('/api/admin/users', { ...anInvitation, email: other.email, proof })],
    [404, (proof) => caller.delete(`/api/auth/passkeys/${randomUUID()}`, { proof })],
  ]
  const [recovery] = codes
  for (const code of [codeOf(secret, 1), recovery])
    for (const [status, act] of refused) {
      const answer = await act({ code })
      t.equal(answer.status, status, JSON.stringify(answer.body))
    }
  t.notOk((await mailsOf(app)).some(({ to, subject }) => to === admin.email && /recovery code/i.test(subject)))
  const renew = async (code: string | undefined) =>
    (await caller.post('/api/auth/recovery-codes', { proof: { code } })).status
  t.same([await renew(recovery), await renew(recovery)], [200, 403], 'the recovery code works, once')
  const code = codeOf(secret, 1)
  t.same([await renew(code), await renew(code)], [200, 403], 'and so does the code of the app')
})

t.test('counts wrong passwords only, so that an admin can end many sessions', async (t) => {
  const limited = await startApp(t, { RATE_LIMITS: 'on' })
  const guarded = createGuarded(limited)
  const admin = await guarded.signUp('admin')
  const dealer = await guarded.signUp()
  const end = async (given: string) => {
    const body = { reason: 'A lost laptop', proof: { password: given } }
    return (await admin.caller.delete(`/api/admin/users/${dealer.id}/sessions`, body)).status
  }
  for (let times = 1; times <= 8; times += 1) t.equal(await end(password), 200, `${times}`)
  for (let times = 1; times <= 5; times += 1) {
    t.equal(await end('not my password at all'), 403, `${times}`)
    await addCalls(limited, 'account-password', 0)
  }
  t.equal(await end(password), 429, 'after five wrong ones')
})

t.test('refuses a common first password before it uses up a code', async (t) => {
  const { id, caller, secret } = await withApp()
  await db.updateTable('dealers').set({ passwordHash: null }).where('id', '=', id).execute()
  const code = codeOf(secret, 1)
  const set = async (newPassword: string) =>
    (await caller.post('/api/auth/password/change', { newPassword, proof: { code } })).status
  t.same([await set('password1234'), await set(password)], [400, 204])
})

t.test('asks for the password before a key is made, and mails the owner', async (t) => {
  const { caller, email } = await signUp()
  await becomeEnterprise(caller.id)
  const refused = await acts['key']!(caller)
  t.match(refused, { status: 403, body: { error: { code: 'proof_required' } } })
  t.match(await acts['key']!(caller, { password: 'not my password at all' }), {
    status: 403,
    body: { error: { code: 'forbidden', details: { fields: ['password'] } } },
  })
  const made = await acts['key']!(caller, { password })
  t.equal(made.status, 201)
  const mail = await mailTo(app, email, /An API key was created/)
  t.notMatch(mail.text, (made.body as CreatedApiKey).secret)
  t.equal((await mailsOf(app)).filter(({ subject, to }) => to === email && /API key/.test(subject)).length, 1)
})

t.test('removes every other way to sign in when an unconfirmed account resets its password', async (t) => {
  const { email, caller, id } = await withApp()
  await becomeEnterprise(id)
  const guarded = await addPasskey(caller)
  const { secret } = (await acts['key']!(guarded.caller, { password })).body as CreatedApiKey
  await db.insertInto('identities').values({ provider: 'google', subject: id, dealerId: id }).execute()

  const next = 'another seven quiet lorries'
  await app.visitor.post('/api/auth/password/forgot', { email })
  const token = /token=(\S+)/.exec((await mailTo(app, email, /new Lanewire password/)).text)?.[1]
  const done = await app.visitor.post<AccessChanged>('/api/auth/password/reset', { token, password: next })
  t.match(done, { status: 200, body: { apiKeys: [], revokeToken: null } })

  t.equal((await guarded.caller.get('/api/auth/me')).status, 401)
  const headers = { authorization: `Bearer ${secret}` }
  t.equal((await app.visitor.get('/api/deals', undefined, headers)).status, 401)
  const options = await app.visitor.post<PasskeyOptions>('/api/auth/passkeys/sign-in/options', {})
  const signed = { passkey: guarded.passkey.sign(options.body) }
  t.equal((await app.visitor.post('/api/auth/passkeys/sign-in', signed)).status, 401)
  const entered = await login(email, app.visitor, next)
  t.equal(entered.status, 200, 'without a second factor')
  t.match((await as(cookieOf(entered, 'lanewire')).get<AccountSecurity>('/api/auth/security')).body, {
    emailVerified: true,
    googleLinked: false,
    secondFactor: { app: 'off', passkeys: [], recoveryCodesLeft: 0 },
  })
  t.match((await mailTo(app, email, /password was set/)).text, /had never been confirmed/)
})

t.test('does not count an email change without a valid code against the new address', async (t) => {
  const limited = await startApp(t, { RATE_LIMITS: 'on' })
  const guarded = createGuarded(limited)
  const { caller, id } = await guarded.withApp()
  await limited.server.ctx.db.updateTable('dealers').set({ passwordHash: null }).where('id', '=', id).execute()
  const other = await guarded.signUp()
  const ask = async (who: Caller, proof: object) =>
    (await who.post('/api/profile/email', { email: `wanted-${id}@dealer.example`, proof })).status
  for (let times = 1; times <= 5; times += 1) t.equal(await ask(caller, { code: '000000' }), 403, `${times}`)
  t.equal(await ask(other.caller, { password }), 204)
})
