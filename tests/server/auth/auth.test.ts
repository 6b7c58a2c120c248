import { randomBytes } from 'node:crypto'
import { hash } from '@node-rs/argon2'
import t from 'tap'
import type { ErrorBody } from '#shared/errors.ts'
import type { AccountSecurity } from '#shared/schemas/account.ts'
import { checkPassword } from '#server/features/auth/passwords.ts'
import type { Limit } from '#server/platform/limits.ts'
import { startApp, type Answer, type Caller } from '#tests/support/app.ts'
import { addCalls } from '#tests/support/limits.ts'
import { mailTo } from '#tests/support/mail.ts'
import { until } from '#tests/support/wait.ts'

const app = await startApp(t)
const { visitor, server, url } = app
const password = 'seven quiet lorries at dawn'
const anEmail = () => `${randomBytes(6).toString('hex')}@dealer.example`

const cookieOf = (answer: Answer): string => answer.headers.get('set-cookie')?.split(';')[0] ?? ''
const as = (cookie: string): Caller => app.on(app, { ...visitor, cookie })

async function signUp(email = anEmail()) {
  const answer = await visitor.post('/api/auth/signup', { email, password })
  t.equal(answer.status, 201)
  return { email, caller: as(cookieOf(answer)) }
}

async function tokenTo(email: string, subject: RegExp): Promise<string> {
  return /token=(\S+)/.exec((await mailTo(app, email, subject)).text)?.[1] ?? ''
}

t.test('signs in a new account, also later', async (t) => {
  const { email, caller } = await signUp()
  t.equal((await caller.get('/api/auth/me')).status, 200)
  t.match((await caller.get('/api/auth/status')).body, { authenticated: true, demo: true })
  const again = await visitor.post('/api/auth/login', { email: ` ${email.toUpperCase()} `, password })
  t.equal(again.status, 200)
  t.match(again.headers.get('set-cookie'), /HttpOnly; .*SameSite=Lax|SameSite=Lax.*HttpOnly/)
})

t.test('says what is wrong with a sign-up', async (t) => {
  const { email } = await signUp()
  const cases: [object, number, RegExp][] = [
    [{ email, password }, 409, /already exists/],
    [{ email: 'nonsense', password }, 400, /email/i],
    [{ email: anEmail(), password: 'short' }, 400, /12 characters/],
    [{ email: anEmail(), password: 'Password1234!' }, 400, /too common/],
    [{ email: anEmail(), password: 'qwertyuiop123' }, 400, /too common/],
    [{ email: anEmail(), password: 'aaaaaaaaaaaaaa' }, 400, /too common/],
    [{ email: 'bartholomew@dealer.example', password: 'Bartholomew12345' }, 400, /too common/],
    // A letter with a combining accent counts as one character.
    [{ email: anEmail(), password: 'e\u0301'.repeat(8) }, 400, /12 characters/],
  ]
  for (const [body, status, message] of cases) {
    const answer = await visitor.post<ErrorBody>('/api/auth/signup', body)
    t.equal(answer.status, status, JSON.stringify(body))
    t.match(answer.body.error.message, message)
  }
})

t.test('refuses common passwords and accepts passphrases', async (t) => {
  const guessed =
    `chickenwing101 unbelievable 1qaz2wsx3edc !QAZ2wsx#EDC zxcvbnm,./123 0987654321qw abcdefgh12345 Springfield2026!
    2026-Carburetors Wholesale1234 P4ssw0rd!2026 monkey123monkey Winter2026Winter2026 112233445566`.split(/\s+/)
  const good = [
    'quiet-lorries-dawn',
    'Tr7!kZp09-aQx',
    'somebody-new-2026',
    'purple monkey dishwasher',
    'ÄhnlicheÖfen9x',
  ]
  const statusOf = async (password: string) =>
    (await visitor.post('/api/auth/signup', { email: anEmail(), password })).status
  for (const password of guessed) t.equal(await statusOf(password), 400, password)
  for (const password of good) t.equal(await statusOf(password), 201, password)
})

t.test('treats a password the same however the keyboard composes its letters', async (t) => {
  const composed = 'sept camions très discrets à l’aube'
  const decomposed = composed.normalize('NFD')
  const email = anEmail()
  t.equal((await visitor.post('/api/auth/signup', { email, password: decomposed })).status, 201)
  const logIn = async (password: string) => (await visitor.post('/api/auth/login', { email, password })).status
  for (const password of [composed, decomposed]) t.equal(await logIn(password), 200)
  // Earlier versions hashed the password without normalizing it.
  const passwordHash = await hash(decomposed)
  await server.ctx.db.updateTable('dealers').set({ passwordHash }).where('email', '=', email).execute()
  for (const password of [composed, decomposed]) t.equal(await logIn(password), 200, 'old hashes still work')
  t.equal(await logIn(composed.replace('è', 'e')), 401)
})

t.test('answers an unknown email like a wrong password, in the same way', async (t) => {
  const { email } = await signUp()
  const wrong = await visitor.post<ErrorBody>('/api/auth/login', { email, password: 'not my password at all' })
  const nobody = await visitor.post<ErrorBody>('/api/auth/login', {
    email: anEmail(),
    password: 'not my password at all',
  })
  t.equal(wrong.status, 401)
  t.equal(nobody.status, 401)
  t.equal(wrong.body.error.message, 'Invalid email or password')
  t.same({ ...nobody.body.error, requestId: '' }, { ...wrong.body.error, requestId: '' })
  // An unknown account takes as long as a wrong password: it also runs one argon2 verification, against a hash that no password matches.
  t.equal(await checkPassword(undefined, 'nobody has this password'), false)
})

t.test('starts a new session at sign-in and ends the one before', async (t) => {
  const { email, caller } = await signUp()
  const again = await caller.post('/api/auth/login', { email, password })
  t.not(cookieOf(again), caller.cookie)
  await until('the old session to end', async () => (await caller.get('/api/auth/me')).status === 401)
  t.equal((await as(cookieOf(again)).get('/api/auth/me')).status, 200)
})

t.test('logs account, step and reason of a failed sign-in, never the password', async (t) => {
  const { email, caller } = await signUp()
  const { id: dealerId } = (await caller.get<{ id: string }>('/api/auth/me')).body
  const logged = t.capture(server.ctx.log, 'warn')
  const wrong = 'a password that is not right'
  await visitor.post('/api/auth/login', { email, password: wrong })
  await visitor.post('/api/auth/login', { email: anEmail(), password: wrong })
  await caller.post('/api/auth/password/change', { currentPassword: wrong, newPassword: password })
  await server.ctx.db.updateTable('dealers').set({ suspendedAt: new Date() }).where('email', '=', email).execute()
  await visitor.post('/api/auth/login', { email, password })
  const lines = logged() as unknown as { args: object[] }[]
  const said = lines.flatMap(({ args: [about = {}] }) => ('security' in about ? [about] : []))
  const at = { security: 'sign_in_failed', address: '127.0.0.1' }
  t.match(said, [
    { ...at, step: 'password', reason: 'wrong_password', dealerId },
    { ...at, step: 'password', reason: 'unknown_account', dealerId: null },
    { ...at, step: 'proof', reason: 'wrong_password', dealerId },
    { ...at, step: 'password', reason: 'suspended', dealerId },
  ])
  t.equal(said.length, 4)
  for (const secret of [wrong, password, email]) t.notOk(JSON.stringify(said).includes(secret))
  const { values } = await server.ctx.metrics.signInFailures.get()
  const count = values.find(({ labels }) => labels.step === 'password' && labels.reason === 'suspended')
  t.equal(count?.value, 1)
})

t.test('sets a new password once by a mailed link and ends every session and socket', async (t) => {
  const { email, caller } = await signUp()
  const tab = await caller.live()
  t.equal((await visitor.post('/api/auth/password/forgot', { email })).status, 204)
  const token = await tokenTo(email, /new Lanewire password/)
  t.match((await mailTo(app, email, /new Lanewire password/)).text, '/reset#token=', 'no fragment reaches a log')
  const weak = await visitor.post('/api/auth/password/reset', { token, password: 'password1234' })
  t.equal(weak.status, 400, 'the link remains valid after a refused password')
  const next = 'another seven quiet lorries'
  t.equal((await visitor.post('/api/auth/password/reset', { token, password: next })).status, 200)
  await until('the socket to close', () => !tab.socket.connected)
  await until('the session to end', async () => (await caller.get('/api/auth/me')).status === 401)
  t.equal((await visitor.post('/api/auth/password/reset', { token, password: next })).status, 400, 'only once')
  t.equal((await visitor.post('/api/auth/login', { email, password })).status, 401)
  t.equal((await visitor.post('/api/auth/login', { email, password: next })).status, 200)
})

t.test('does not reveal by a link request whether an account exists', async (t) => {
  t.equal((await visitor.post('/api/auth/password/forgot', { email: anEmail() })).status, 204)
  t.equal((await visitor.post('/api/auth/password/forgot', { email: '' })).status, 400)
  t.equal((await visitor.post('/api/auth/password/reset', { token: 'x'.repeat(43), password })).status, 400)
})

t.test('stores no secret of a link', async (t) => {
  const { email } = await signUp()
  const token = await tokenTo(email, /Confirm your email/)
  const rows = await server.ctx.db.selectFrom('authTokens').selectAll().execute()
  t.ok(token.length > 20)
  t.ok(rows.every((row) => row.hash.toString('base64url') !== token && row.hash.length === 32))
})

t.test('confirms an email by its mailed link', async (t) => {
  const { email, caller } = await signUp()
  t.equal((await caller.get<AccountSecurity>('/api/auth/security')).body.emailVerified, false)
  const token = await tokenTo(email, /Confirm your email/)
  t.equal((await visitor.post('/api/auth/email/verify', { token })).status, 204)
  t.equal((await caller.get<AccountSecurity>('/api/auth/security')).body.emailVerified, true)
  t.equal((await visitor.post('/api/auth/email/verify', { token })).status, 400)
})

t.test('ends the other sessions at a password change and keeps this one', async (t) => {
  const { email, caller } = await signUp()
  const other = as(cookieOf(await visitor.post('/api/auth/login', { email, password })))
  const tab = await other.live()
  const next = 'one more set of quiet lorries'
  const wrong = await caller.post('/api/auth/password/change', { currentPassword: 'wrong', newPassword: next })
  t.equal(wrong.status, 403)
  const changed = await caller.post('/api/auth/password/change', { currentPassword: password, newPassword: next })
  t.equal(changed.status, 204)
  t.equal((await as(cookieOf(changed)).get('/api/auth/me')).status, 200)
  await until('the other socket to close', () => !tab.socket.connected)
  await until('the other session to end', async () => (await other.get('/api/auth/me')).status === 401)
})

t.test('lists and revokes sessions, each only for its owner, including sockets', async (t) => {
  const { email, caller } = await signUp()
  const other = as(cookieOf(await visitor.post('/api/auth/login', { email, password })))
  const stranger = (await signUp()).caller
  const { sessions } = (await caller.get<AccountSecurity>('/api/auth/security')).body
  t.equal(sessions.length, 2)
  t.equal(sessions.filter(({ current }) => current).length, 1)
  const target = sessions.find(({ current }) => !current)?.id ?? ''
  t.equal((await stranger.delete(`/api/auth/sessions/${target}`)).status, 404)
  const tab = await other.live()
  t.equal((await caller.delete(`/api/auth/sessions/${target}`)).status, 204)
  await until('the socket to close', () => !tab.socket.connected)
  await until('the session to end', async () => (await other.get('/api/auth/me')).status === 401)
  t.equal((await caller.delete('/api/auth/sessions')).status, 204)
  t.equal((await caller.get('/api/auth/me')).status, 200)
  for (const path of ['/api/auth/security', '/api/auth/me']) t.equal((await visitor.get(path)).status, 401)
})

t.test('does not list a browser that has been away long enough to be signed out', async (t) => {
  const { email, caller } = await signUp()
  const away = as(cookieOf(await visitor.post('/api/auth/login', { email, password })))
  const { sessions } = (await caller.get<AccountSecurity>('/api/auth/security')).body
  const hash = Buffer.from(sessions.find(({ current }) => !current)?.id ?? '', 'hex')
  const lastSeenAt = new Date(Date.now() - 15 * 86_400_000)
  await server.ctx.db.updateTable('sessions').set({ lastSeenAt }).where('hash', '=', hash).execute()
  t.equal((await away.get('/api/auth/me')).status, 401)
  const left = (await caller.get<AccountSecurity>('/api/auth/security')).body.sessions
  t.same(
    left.map(({ current }) => current),
    [true],
  )
})

t.test('refuses a request from another site', async (t) => {
  const { email } = await signUp()
  const response = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: 'https://evil.example' },
    body: JSON.stringify({ email, password }),
  })
  t.equal(response.status, 403)
})

t.test('does not lock a known browser out when strangers guess passwords', async (t) => {
  const limited = await startApp(t, { RATE_LIMITS: 'on', TRUST_PROXY: 'on' })
  const login = (email: string, word: string, address: string, cookie = '') =>
    limited.visitor.post<ErrorBody>(
      '/api/auth/login',
      { email, password: word },
      { 'x-forwarded-for': address, cookie },
    )
  const statusOf = async (...attempt: Parameters<typeof login>) => (await login(...attempt)).status
  const email = anEmail()
  const signedUp = await limited.visitor.post('/api/auth/signup', { email, password })
  const knownIn = ({ headers }: Answer) =>
    headers
      .getSetCookie()
      .find((one) => one.startsWith('lanewire_known='))
      ?.split(';')[0] ?? ''
  const known = knownIn(signedUp)
  t.notMatch(known, email)

  const address = '10.0.0.1'
  for (const tries of [1, 2, 3, 4, 5]) {
    t.equal(await statusOf(email, 'wrong for sure', address), 401, `try ${tries}`)
    await addCalls(limited, 'login', 0)
  }
  const refused = await login(email, password, address)
  t.equal(refused.status, 429)
  t.ok(Number(refused.headers.get('retry-after')) > 0)
  t.equal(await statusOf(email, password, '10.0.0.2'), 200, 'from another address')
  t.equal(await statusOf(email, password, address, known), 200, 'from a browser that signed in before')

  const { limiter } = limited.server.ctx
  const useUp = (limit: Limit, key: string) =>
    Promise.allSettled(Array.from({ length: limit.max }, () => limiter.consume(limit, key)))
  await useUp({ name: 'login-address', max: 20, seconds: 60 }, address)
  t.equal(await statusOf(anEmail(), 'wrong for sure', address), 429, 'too many attempts from this address')
  t.equal(await statusOf(email, password, address, known), 200)

  // Use up the account's limit, as if many other machines had tried passwords.
  await useUp({ name: 'login-account', max: 300, seconds: 3_600 }, email)
  const full = await login(email, password, '10.0.0.3')
  t.match(full, {
    status: 429,
    body: {
      error: { message: /this account.*reset your password, or use a browser you have signed in with before/ },
    },
  })
  t.equal(await statusOf(email, password, '10.0.0.3', known), 200)
  t.equal((await limited.visitor.post('/api/auth/password/forgot', { email })).status, 204)
  const token = /token=(\S+)/.exec((await mailTo(limited, email, /new Lanewire password/)).text)?.[1]
  const reset = await limited.visitor.post('/api/auth/password/reset', { token, password })
  t.equal(reset.status, 200)
  t.equal(await statusOf(email, password, '10.0.0.4', knownIn(reset)), 200, 'from a browser of the mailed link')

  const wrong = await Promise.all(
    Array.from({ length: 6 }, (_, index) => statusOf(email, 'wrong for sure', `10.0.1.${index}`, known)),
  )
  t.ok(wrong.includes(429), 'a known browser has its own limit at every address')

  await useUp({ name: 'login-known-account', max: 60, seconds: 3_600 }, email)
  const last = knownIn(await login(email, password, '10.0.0.5', knownIn(reset)))
  t.equal(last, '', 'known browsers that used up their common limit count as strangers')
  const other = anEmail()
  await useUp({ name: 'login-account', max: 300, seconds: 3_600 }, other)
  t.equal(
    await statusOf(other, password, '10.0.0.6', known),
    429,
    'a browser is known only to accounts that signed in there',
  )
  const forged = `${known.slice(0, -4)}AAAA`
  t.equal(await statusOf(email, password, '10.0.0.7', forged), 429)
})

t.test('keeps a browser known after it confirms another address, also to other accounts', async (t) => {
  const limited = await startApp(t, { RATE_LIMITS: 'on', TRUST_PROXY: 'on' })
  const from = { 'x-forwarded-for': '10.1.0.1' }
  const [email, next, other] = [anEmail(), anEmail(), anEmail()]
  const jar = createJar()
  const post = async (path: string, body: object) => {
    const answer = await limited.visitor.post<ErrorBody>(path, body, { ...from, cookie: jar.at(path) })
    jar.keep(answer.headers.getSetCookie())
    return answer
  }
  await post('/api/auth/signup', { email: other, password })
  await post('/api/auth/signup', { email, password })
  t.equal((await post('/api/profile/email', { email: next, proof: { password } })).status, 204)
  const token = /(?:token|change)=(\S+)/.exec((await mailTo(limited, next, /new email/)).text)?.[1]
  t.equal((await post('/api/profile/email/confirm', { token })).status, 200)
  const { limiter } = limited.server.ctx
  for (const account of [next, other]) {
    const strangers = { name: 'login-account', max: 300, seconds: 3_600 }
    await Promise.allSettled(Array.from({ length: strangers.max }, () => limiter.consume(strangers, account)))
    t.equal((await post('/api/auth/login', { email: account, password })).status, 200, account)
  }
})

function createJar() {
  const held = new Map<string, { pair: string; path: string }>()
  return {
    keep(set: string[]) {
      for (const one of set) {
        const [pair = ''] = one.split(';')
        const path = /path=([^;]+)/i.exec(one)?.[1] ?? '/'
        const key = `${pair.split('=')[0]} ${path}`
        if (/max-age=0|expires=thu, 01 jan 1970/i.test(one)) held.delete(key)
        else held.set(key, { pair, path })
      }
    },
    at: (path: string) =>
      [...held.values()]
        .filter((one) => path.startsWith(one.path))
        .toSorted((a, b) => b.path.length - a.path.length)
        .map(({ pair }) => pair)
        .join('; '),
  }
}

t.test('offers test aids only in a demo', async (t) => {
  const real = await startApp(t, { DEMO: 'off' })
  t.match((await real.visitor.get('/api/auth/status')).body, { demo: false, sampleLogin: null })
  t.equal((await real.visitor.post('/api/auth/create-dummy', {})).status, 404)
  t.equal((await real.visitor.get('/api/demo/mail')).status, 404)
})
