import pg from 'pg'
import t from 'tap'
import type { AccountSecurity } from '#shared/schemas/account.ts'
import type { AuthenticatorSecret, AuthStatus, PasskeyOptions, RecoveryCodes } from '#shared/schemas/auth.ts'
import { startApp, type Answer, type Caller } from '#tests/support/app.ts'
import { codeOf, createPasskey } from '#tests/support/authenticator.ts'
import { listCalls } from '#tests/support/calls.ts'
import { untilBlocked } from '#tests/support/locks.ts'
import { mailTo } from '#tests/support/mail.ts'
import { cookieOf, createGuarded, finish, password } from '#tests/support/second-factor.ts'
import { until } from '#tests/support/wait.ts'

const app = await startApp(t)
const { visitor, server } = app
const { db } = server.ctx
const { as, signUp, withApp, addPasskey, login, halfWay } = createGuarded(app)

const isSignedIn = async (answer: Answer) => (await as(cookieOf(answer, 'lanewire')).get('/api/auth/me')).status === 200

const securityOf = async (caller: Caller) => (await caller.get<AccountSecurity>('/api/auth/security')).body
/** Makes the server accept the same code again, as if 30 seconds had passed. */
const forgetSteps = (id: string) =>
  db.updateTable('authenticators').set({ lastStep: 0 }).where('dealerId', '=', id).execute()

t.test('sets up an app with the password and a code, and ends every other session', async (t) => {
  const { id, email, caller } = await signUp()
  const other = as(cookieOf(await login(email), 'lanewire'))
  for (const proof of [{}, { password: 'not my password at all' }, { code: '123456' }])
    t.equal((await caller.post('/api/auth/authenticator', { proof })).status, 403, JSON.stringify(proof))
  t.equal((await caller.post('/api/auth/authenticator/confirm', { code: '123456' })).status, 409, 'no setup is pending')
  const started = await caller.post<AuthenticatorSecret>('/api/auth/authenticator', { proof: { password } })
  const { secret, uri } = started.body
  t.match(uri, `otpauth://totp/Lanewire:`)
  t.ok(uri.includes(`secret=${secret}`))
  t.equal(started.headers.get('cache-control'), 'no-store')
  const wrong = codeOf(secret) === '000000' ? '000001' : '000000'
  t.equal((await caller.post('/api/auth/authenticator/confirm', { code: wrong })).status, 400)
  t.equal((await securityOf(caller)).secondFactor.app, 'off', 'off until the first code')
  t.equal((await login(email)).status, 200)
  const confirmed = await caller.post<RecoveryCodes>('/api/auth/authenticator/confirm', { code: codeOf(secret) })
  t.equal(confirmed.status, 200)
  t.equal(new Set(confirmed.body.recoveryCodes).size, 10)
  await until('the other session to end', async () => (await other.get('/api/auth/me')).status === 401)
  await until('the old session to end', async () => (await caller.get('/api/auth/me')).status === 401)
  const own = as(cookieOf(confirmed, 'lanewire'))
  t.match((await securityOf(own)).secondFactor, { app: 'on', recoveryCodesLeft: 10, required: false, passkeys: [] })
  const row = await db.selectFrom('authenticators').selectAll().where('dealerId', '=', id).executeTakeFirstOrThrow()
  t.notOk(row.secret?.includes(Buffer.from(secret)), 'the secret is not stored as plain text')
  const stored = await db.selectFrom('recoveryCodes').selectAll().where('dealerId', '=', id).execute()
  t.ok(stored.every(({ hash }) => hash.length === 32))
  t.match((await mailTo(app, email, /A second factor was added/)).text, 'added to your account')
})

t.test('starts a session only after the second factor, which works once', async (t) => {
  const { email, secret } = await withApp()
  const asked = await login(email)
  t.equal(asked.status, 202)
  t.equal(cookieOf(asked, 'lanewire'), '')
  t.match(asked.body, { secondFactor: { app: true, passkey: false, recovery: true } })
  t.match(asked.headers.getSetCookie().join(), /HttpOnly/)
  const browser = as(cookieOf(asked, 'lanewire_second_factor'))
  t.equal((await browser.get('/api/auth/me')).status, 401)
  t.match((await browser.get<AuthStatus>('/api/auth/status')).body, {
    authenticated: false,
    secondFactor: { app: true },
  })
  t.equal((await visitor.get<AuthStatus>('/api/auth/status')).body.secondFactor, null)
  t.equal((await finish(browser, codeOf(secret))).status, 401, 'the setup already used this code')
  t.equal((await finish(visitor, codeOf(secret, 1))).status, 401, "only the password's browser may continue")
  const done = await finish(browser, ` ${codeOf(secret, 1).replace(/(...)/, '$1 ')}`)
  t.equal(done.status, 200)
  t.ok(await isSignedIn(done))
  const again = await finish(browser, codeOf(secret, 1))
  t.equal(again.status, 401)
  t.match(again.body.error.message, /expired/)
  const replayed = await finish(await halfWay(email), codeOf(secret, 1))
  t.equal(replayed.status, 401)
  t.match(replayed.body.error.message, /already used/)
})

t.test(
  'refuses a sign-in in progress when a second factor is set up or the account is suspended meanwhile',
  async (t) => {
    const watcher = new pg.Client({ connectionString: app.services['DATABASE_URL'] })
    await watcher.connect()
    t.teardown(() => watcher.end())
    for (const column of ['secondFactorAt', 'suspendedAt'] as const) {
      const { id, email } = await signUp()
      const halfWay = await db.transaction().execute(async (tx) => {
        await tx
          .updateTable('dealers')
          .set({ [column]: new Date() })
          .where('id', '=', id)
          .execute()
        // The server accepted the password before the account needed a second factor.
        const answer = login(email)
        await untilBlocked(watcher, 'insert into "sessions"%')
        return { answer }
      })
      const answer = await halfWay.answer
      t.equal(answer.status, 401, column)
      t.equal(cookieOf(answer, 'lanewire'), '')
      await db.updateTable('dealers').set({ suspendedAt: null }).where('id', '=', id).execute()
      const { length } = await db.selectFrom('sessions').select('hash').where('dealerId', '=', id).execute()
      t.equal(length, 1, 'only the session of the sign-up')
    }
  },
)

t.test('starts one session for two simultaneous right answers', async (t) => {
  const { id, email, secret, codes } = await withApp()
  const browser = await halfWay(email)
  const both = await Promise.all([finish(browser, codes[0] ?? ''), finish(browser, codeOf(secret, 1))])
  t.same(both.map(({ status }) => status).toSorted(), [200, 401], 'within one sign-in')
  await forgetSteps(id)
  for (const code of [codes[1] ?? '', codeOf(secret, 1)]) {
    const browsers = [await halfWay(email), await halfWay(email), await halfWay(email)]
    const tries = await Promise.all(browsers.map((one) => finish(one, code)))
    t.equal(tries.filter(({ status }) => status === 200).length, 1, 'with one code')
  }
})

t.test('ends the sign-in after five wrong answers, even at once, and logs the account', async (t) => {
  const { id, email, secret } = await withApp()
  const logged = t.capture(server.ctx.log, 'warn')
  const browser = await halfWay(email)
  const wrong = codeOf(secret, 1) === '000000' ? '111111' : '000000'
  const tries = await Promise.all(Array.from({ length: 8 }, () => finish(browser, wrong)))
  t.ok(tries.every(({ status }) => status === 401))
  t.equal(tries.filter(({ body }) => body.error.message.includes('code is incorrect')).length, 5)
  const lines = logged() as unknown as { args: { reason?: string; dealerId?: string | null }[] }[]
  const said = lines.flatMap(({ args: [about = {}] }) => about)
  t.equal(said.filter(({ reason, dealerId }) => reason === 'wrong_code' && dealerId === id).length, 5)
  t.equal(said.filter(({ reason }) => reason === 'expired').length, 3)
  t.notOk(JSON.stringify(said).includes(`"${wrong}"`))
  t.equal((await finish(browser, codeOf(secret, 1))).status, 401, 'the right code is too late')
  t.equal((await browser.get<AuthStatus>('/api/auth/status')).body.secondFactor, null)
})

t.test(
  'ends a sign-in in progress when its time is up, at Cancel, when the session ends, and at a suspension',
  async (t) => {
    const { id, email, caller, secret, codes } = await withApp()
    const late = await halfWay(email)
    await db.updateTable('waitingSignIns').set({ expiresAt: new Date() }).where('dealerId', '=', id).execute()
    t.equal((await finish(late, codeOf(secret, 1))).status, 401)
    const left = await halfWay(email)
    t.equal((await left.delete('/api/auth/second-factor')).status, 204)
    t.equal((await finish(left, codeOf(secret, 1))).status, 401)
    const ended = await halfWay(email)
    t.equal((await caller.delete('/api/auth/sessions')).status, 204)
    t.equal((await finish(ended, codeOf(secret, 1))).status, 401)
    const held = await halfWay(email)
    await db
      .updateTable('dealers')
      .set({ suspendedAt: new Date(), suspendedReason: 'Fraud' })
      .where('id', '=', id)
      .execute()
    const refused = await finish(held, codes[0] ?? '')
    t.equal(refused.status, 403)
    t.match(refused.body.error.message, 'Fraud')
  },
)

t.test('accepts a recovery code once, counts it, tells the dealer by mail, and replaces codes', async (t) => {
  const { email, caller, codes } = await withApp()
  const [first = '', second = ''] = codes
  // The alphabet has 32 characters, or 5 bits each, so 24 characters have 120 bits.
  for (const code of codes) t.match(code, /^[2-9a-km-z]{4}(-[2-9a-km-z]{4}){5}$/, '120 bits')
  t.equal((await finish(await halfWay(email), first.toUpperCase().replaceAll('-', ' '))).status, 200, 'as it is typed')
  t.equal((await finish(await halfWay(email), first)).status, 401)
  t.equal((await securityOf(caller)).secondFactor.recoveryCodesLeft, 9)
  t.match((await mailTo(app, email, /recovery code/)).text, 'no longer works')
  t.equal((await caller.post('/api/auth/recovery-codes', {})).status, 403)
  const renewed = await caller.post<RecoveryCodes>('/api/auth/recovery-codes', { proof: { password } })
  t.equal(renewed.body.recoveryCodes?.length, 10)
  t.equal((await finish(await halfWay(email), second)).status, 401)
  t.equal((await finish(await halfWay(email), renewed.body.recoveryCodes?.[0] ?? '')).status, 200)
  const none = await signUp()
  t.equal((await none.caller.post('/api/auth/recovery-codes', { proof: { password } })).status, 409)
})

t.test('still requires the second factor after a password reset by mail', async (t) => {
  const { id, email, secret } = await withApp()
  await db.updateTable('dealers').set({ emailVerifiedAt: new Date() }).where('id', '=', id).execute()
  const before = await halfWay(email)
  await visitor.post('/api/auth/password/forgot', { email })
  const token = /token=(\S+)/.exec((await mailTo(app, email, /new Lanewire password/)).text)?.[1]
  const next = 'another seven quiet lorries'
  const reset = await visitor.post('/api/auth/password/reset', { token, password: next })
  t.equal(reset.status, 200)
  t.equal(cookieOf(reset, 'lanewire'), '')
  t.equal((await finish(before, codeOf(secret, 1))).status, 401, 'the sign-in with the old password ended')
  t.match((await mailTo(app, email, /password was reset/)).text, 'still required to sign in')
  t.equal((await login(email, visitor, next)).status, 202)
  const done = await finish(await halfWay(email, app, next), codeOf(secret, 1))
  t.equal(done.status, 200)
})

t.test('asks for the password before it turns the app off, then accepts the password alone', async (t) => {
  const { id, email, caller } = await withApp()
  t.equal((await caller.delete('/api/auth/authenticator', {})).status, 403)
  t.equal((await caller.delete('/api/auth/authenticator', { proof: { password } })).status, 204)
  t.equal((await caller.delete('/api/auth/authenticator', { proof: { password } })).status, 404)
  t.match((await securityOf(caller)).secondFactor, { app: 'off', recoveryCodesLeft: 0 })
  t.equal((await login(email)).status, 200)
  t.same(await db.selectFrom('recoveryCodes').selectAll().where('dealerId', '=', id).execute(), [])
  t.match((await mailTo(app, email, /was removed/)).text, 'removed from your account')
})

t.test('replaces the app of one phone by another after its first code, and keeps the recovery codes', async (t) => {
  const guarded = await withApp()
  const { caller, email, secret } = guarded
  const next = (await caller.post<AuthenticatorSecret>('/api/auth/authenticator', { proof: { password } })).body.secret
  t.equal((await finish(await halfWay(email), codeOf(secret, 1))).status, 200, 'the first one is valid until then')
  const confirmed = await caller.post<RecoveryCodes>('/api/auth/authenticator/confirm', { code: codeOf(next) })
  t.same(confirmed.body, { recoveryCodes: null })
  t.equal((await caller.get('/api/auth/me')).status, 200, 'nobody is signed out')
  await forgetSteps(guarded.id)
  t.equal((await finish(await halfWay(email), codeOf(secret, 1))).status, 401)
  t.equal((await finish(await halfWay(email), codeOf(next, 1))).status, 200)
})

t.test('accepts the second factor as proof for an account without a password', async (t) => {
  const guarded = await withApp()
  await db.updateTable('dealers').set({ passwordHash: null }).where('id', '=', guarded.id).execute()
  const { caller, codes, secret } = guarded
  t.equal((await caller.post('/api/auth/recovery-codes', {})).status, 403)
  t.equal((await caller.post('/api/auth/recovery-codes', { proof: { password } })).status, 403)
  t.equal((await caller.post('/api/auth/recovery-codes', { proof: { code: codeOf(secret, 1) } })).status, 200)
  t.equal((await caller.delete('/api/auth/authenticator', { proof: { code: codes[0] } })).status, 403, 'replaced')
  t.equal((await caller.delete('/api/auth/authenticator', { proof: { code: codeOf(secret, 1) } })).status, 403, 'used')
  await forgetSteps(guarded.id)
  t.equal((await caller.delete('/api/auth/authenticator', { proof: { code: codeOf(secret, 1) } })).status, 204)
})

const optionsOf = async (caller: Caller, path: string) => (await caller.post<PasskeyOptions>(path, {})).body
const alone = '/api/auth/passkeys/sign-in'
const second = '/api/auth/second-factor'

t.test('accepts a passkey for one challenge of this site and its owner only', async (t) => {
  const { caller } = await signUp()
  const stranger = (await signUp()).caller
  t.equal((await caller.post('/api/auth/passkeys/options', {})).status, 403)
  const options = async (from = caller) =>
    (await from.post<PasskeyOptions>('/api/auth/passkeys/options', { proof: { password } })).body
  const made = createPasskey(app.url)
  const add = (passkey: object, from = caller) => from.post('/api/auth/passkeys', { name: 'Phone', passkey })
  t.equal((await add(made.make(await options(), { origin: 'https://lanewire.evil.example' }))).status, 400)
  t.equal((await add(made.make(await options(stranger)))).status, 400, "for another dealer's challenge")
  const answer = made.make(await options())
  t.equal((await add(answer, stranger)).status, 400)
  const again = made.make(await options())
  const added = await add(again)
  t.equal(added.status, 201)
  const own = as(cookieOf(added, 'lanewire'))
  t.equal((await add(again, own)).status, 400, 'a challenge works once')
  t.equal((await add(made.make(await options(own)), own)).status, 409, 'it is already registered')
  t.match((await securityOf(own)).secondFactor.passkeys, [{ name: 'Phone', lastUsedAt: null }])
})

t.test('names, lists and removes passkeys, each only for its owner', async (t) => {
  const { caller: first, email } = await signUp()
  const { caller, added } = await addPasskey(first)
  t.equal(added.body.recoveryCodes?.length, 10)
  const { passkey: other } = await addPasskey(caller, 'Key ring')
  const [one, two] = (await securityOf(caller)).secondFactor.passkeys
  const stranger = (await signUp()).caller
  const at = `/api/auth/passkeys/${one?.id}`
  t.equal((await stranger.patch(at, { name: 'Mine' })).status, 404)
  t.equal((await stranger.delete(at, { proof: { password } })).status, 404)
  t.equal((await caller.patch(at, { name: '  ' })).status, 400)
  t.equal((await caller.patch(at, { name: 'Office' })).status, 204)
  t.equal((await caller.delete(at, {})).status, 403)
  t.equal((await caller.delete(at, { proof: { password } })).status, 204)
  t.match((await securityOf(caller)).secondFactor, { passkeys: [{ name: 'Key ring' }], recoveryCodesLeft: 10 })
  t.equal((await login(email)).status, 202)
  t.equal((await caller.delete(`/api/auth/passkeys/${two?.id}`, { proof: { password } })).status, 204)
  t.equal((await login(email)).status, 200, 'without passkeys, the password suffices')
  const gone = other.sign(await optionsOf(visitor, `${alone}/options`))
  t.equal((await visitor.post(alone, { passkey: gone })).status, 401)
})

t.test('accepts a passkey alone if it checked finger, face or PIN', async (t) => {
  const { passkey, caller } = await addPasskey((await signUp()).caller)
  const options = () => optionsOf(visitor, `${alone}/options`)
  const refused = async (what: string, answer: object) =>
    t.equal((await visitor.post(alone, { passkey: answer })).status, 401, what)
  await refused('without it', passkey.sign(await options(), { userVerified: false }))
  await refused('of another site', passkey.sign(await options(), { origin: 'https://lanewire.evil.example' }))
  await refused('one that nobody has', createPasskey(app.url).sign(await options()))
  await refused('for another question', passkey.sign(await optionsOf(caller, '/api/auth/proof/options')))
  const answer = passkey.sign(await options())
  const { userHandle: _whose, ...response } = answer.response
  await refused('that does not say whose it is', { ...answer, response })
  const right = passkey.sign(await options())
  const done = await visitor.post(alone, { passkey: right })
  t.equal(done.status, 200)
  t.ok(await isSignedIn(done))
  await refused('twice', right)
  await refused('of a copy, whose counter stands still', passkey.sign(await options(), { copied: true }))
  const [shown] = (await securityOf(caller)).secondFactor.passkeys
  t.type(shown?.lastUsedAt, 'string')
})

t.test('accepts a passkey after the password, even without a user check', async (t) => {
  const { email, caller: first } = await signUp()
  const { passkey } = await addPasskey(first)
  const stranger = await addPasskey((await signUp()).caller)
  t.equal((await visitor.post(`${second}/options`, {})).status, 401, 'no sign-in is in progress')
  const browser = await halfWay(email)
  const options = () => optionsOf(browser, `${second}/options`)
  const answer = (given: object) => browser.post(second, { passkey: given })
  t.equal((await answer(stranger.passkey.sign(await options()))).status, 401, "another dealer's passkey")
  t.equal(
    (await answer(passkey.sign(await optionsOf(visitor, `${alone}/options`)))).status,
    401,
    'for another challenge',
  )
  const done = await answer(passkey.sign(await options(), { userVerified: false }))
  t.equal(done.status, 200)
  t.ok(await isSignedIn(done))
})

t.test('accepts a passkey as proof for an account without a password', async (t) => {
  const { id, caller: first } = await signUp()
  const { passkey, caller } = await addPasskey(first)
  await db.updateTable('dealers').set({ passwordHash: null }).where('id', '=', id).execute()
  const renew = async (given: object) => (await caller.post('/api/auth/recovery-codes', { proof: given })).status
  t.equal(await renew({ passkey: passkey.sign(await optionsOf(visitor, `${alone}/options`)) }), 403)
  const right = passkey.sign(await optionsOf(caller, '/api/auth/proof/options'))
  t.equal(await renew({ passkey: right }), 200)
  t.equal(await renew({ passkey: right }), 403)
})

t.test('allows at most ten passkeys', async (t) => {
  let { caller } = await signUp()
  for (let made = 0; made < 10; made += 1) ({ caller } = await addPasskey(caller, `Device ${made}`))
  t.equal((await caller.post('/api/auth/passkeys/options', { proof: { password } })).status, 409)
})

t.test('refuses API keys on every second-factor call', async (t) => {
  const { caller } = await withApp()
  await db.updateTable('dealers').set({ profileCompletedAt: new Date() }).where('id', '=', caller.id).execute()
  await db
    .insertInto('subscriptions')
    .values({ dealerId: caller.id, planId: 'enterprise', status: 'active', priceCents: 19_900 })
    .execute()
  const key = { name: 'Program', scope: 'full', proof: { password } }
  const { secret } = (await caller.post<{ secret: string }>('/api/api-keys', key)).body
  const headers = { authorization: `Bearer ${secret}` }
  const calls = (await listCalls(caller)).filter(({ path }) =>
    /auth\/(authenticator|passkeys|recovery|proof)/.test(path),
  )
  t.equal(calls.length, 13)
  for (const { method, path, name } of calls) {
    if (name.includes('sign-in')) continue
    t.equal((await fetch(app.url + path, { method, headers })).status, 403, name)
  }
})

t.test('deletes the second factor with the account', async (t) => {
  const guarded = await withApp()
  const { caller } = await addPasskey(guarded.caller, 'Laptop')
  await halfWay(guarded.email)
  t.equal((await caller.delete('/api/account', { email: guarded.email, proof: { password } })).status, 204)
  for (const table of ['authenticators', 'passkeys', 'recoveryCodes', 'waitingSignIns'] as const)
    t.same(await db.selectFrom(table).select('dealerId').where('dealerId', '=', guarded.id).execute(), [], table)
})

t.test(
  "accepts a recovery code after the server's keys changed, and asks the dealer to set up the app again",
  async (t) => {
    const { id, email, secret, codes } = await withApp()
    const rotated = await startApp(t, { SESSION_SECRET: 'a secret that nothing was sealed with, ever' }, app.services)
    const asked = await login(email, rotated.visitor)
    t.match(asked.body, { secondFactor: { app: false, appUnreadable: true, recovery: true } })
    const browser = as(cookieOf(asked, 'lanewire_second_factor'), rotated)
    const refused = await finish(browser, codeOf(secret, 1))
    t.equal(refused.status, 401)
    t.match(refused.body.error.message, /server's keys changed.*recovery code/)
    const done = await finish(browser, codes[0] ?? '')
    t.equal(done.status, 200)
    const caller = as(cookieOf(done, 'lanewire'), rotated)
    t.equal((await securityOf(caller)).secondFactor.app, 'unreadable')
    const next = (await caller.post<AuthenticatorSecret>('/api/auth/authenticator', { proof: { password } })).body
      .secret
    t.equal((await caller.post('/api/auth/authenticator/confirm', { code: codeOf(next) })).status, 200)
    await forgetSteps(id)
    t.equal((await finish(await halfWay(email, rotated), codeOf(next, 1))).status, 200)
  },
)
