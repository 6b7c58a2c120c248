import { randomBytes } from 'node:crypto'
import pg from 'pg'
import t, { type Test } from 'tap'
import { startApp, type TestApp } from '#tests/support/app.ts'
import { untilBlocked } from '#tests/support/locks.ts'
import { startGoogleProvider, type Person } from '#tests/support/google-provider.ts'

class Browser {
  readonly #jar = new Map<string, string>()

  async get(url: string): Promise<Response> {
    return this.#send(url, { method: 'GET' })
  }

  async post(url: string, body: object): Promise<Response> {
    return this.#send(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  }

  async delete(url: string, body: object): Promise<Response> {
    const headers = { 'content-type': 'application/json' }
    return this.#send(url, { method: 'DELETE', headers, body: JSON.stringify(body) })
  }

  async #send(
    url: string,
    init: { method: string; headers?: Record<string, string>; body?: string },
  ): Promise<Response> {
    const cookie = [...this.#jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, { ...init, redirect: 'manual', headers: { ...init.headers, cookie } })
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      const at = pair.indexOf('=')
      this.#jar.set(pair.slice(0, at), pair.slice(at + 1))
    }
    return response
  }

  copy(): Browser {
    const other = new Browser()
    for (const [name, value] of this.#jar) other.#jar.set(name, value)
    return other
  }

  has(name: string): boolean {
    return (this.#jar.get(name) ?? '') !== ''
  }
}

async function startGoogle(t: Test) {
  const { env, ...google } = await startGoogleProvider(t, aPerson({ sub: '1', email: 'nobody@example.com' }))
  return { app: await startApp(t, env), ...google }
}

const aPerson = (about: Partial<Person> = {}): Person => {
  const sub = randomBytes(6).toString('hex')
  return { sub, email: `${sub}@gmail.example`, email_verified: true, name: 'Dana Torres', ...about }
}

async function continueWithGoogle(app: TestApp, browser: Browser): Promise<string> {
  const start = await browser.get(`${app.url}/api/auth/google`)
  const consent = new URL(start.headers.get('location') ?? '')
  const back = await browser.get(consent.href)
  const callback = await browser.get(back.headers.get('location') ?? '')
  return callback.headers.get('location') ?? ''
}

const { app, issuer, become, forgeNext } = await startGoogle(t)
const password = 'seven quiet lorries at dawn'

t.test('sends a state and a PKCE challenge to Google', async (t) => {
  const { headers } = await new Browser().get(`${app.url}/api/auth/google`)
  const { searchParams } = new URL(headers.get('location') ?? '')
  t.equal(searchParams.get('code_challenge_method'), 'S256')
  t.ok((searchParams.get('code_challenge') ?? '').length >= 43)
  t.ok((searchParams.get('state') ?? '').length >= 16)
  t.match(searchParams.get('scope'), 'openid email')
})

t.test('creates an account without a profile for a new verified email', async (t) => {
  const person = aPerson()
  become(person)
  const browser = new Browser()
  t.equal(await continueWithGoogle(app, browser), '/login')
  const me = await (await browser.get(`${app.url}/api/auth/me`)).json()
  t.match(me, { email: person.email, name: 'Dana Torres', profileComplete: false })
  const again = new Browser()
  await continueWithGoogle(app, again)
  t.match(await (await again.get(`${app.url}/api/auth/me`)).json(), { id: (me as { id: string }).id })
})

t.test('creates no account for a token that Google has not signed', async (t) => {
  const [person, other] = [aPerson(), aPerson()]
  become(person)
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
  const claims = { ...other, iss: issuer, aud: 'lanewire-client', exp: Math.ceil(Date.now() / 1_000) + 600 }
  const forged: Record<string, (token: string) => string> = {
    'with other claims': (token) => token.replace(/\.[^.]*\./, `.${encode(claims)}.`),
    unsigned: () => `${encode({ alg: 'none' })}.${encode(claims)}.`,
    'with another signature': (token) => token.replace(/[^.]*$/, encode({ not: 'a signature' })),
  }
  const logged = t.capture(app.server.ctx.log, 'warn')
  for (const [name, forge] of Object.entries(forged)) {
    forgeNext(forge)
    t.equal(await continueWithGoogle(app, new Browser()), '/login?google=failed', name)
  }
  t.match(logged().at(-1), { args: [{ step: 'google', reason: 'not_signed_by_google', dealerId: null }] })
  t.equal(await continueWithGoogle(app, new Browser()), '/login')
  const made = await app.server.ctx.db.selectFrom('dealers').select('email').execute()
  t.notOk(made.some(({ email }) => email === other.email))
})

t.test(
  'creates no Google account without an invitation, and a waiting one where an admin approves accounts',
  async (t) => {
    const admin = await app.signIn('Lanewire', { role: 'admin' })
    const set = (joining: string) => admin.patch('/api/admin/network', { joining })
    t.teardown(() => set('open'))
    await set('invitation')
    const person = aPerson()
    become(person)
    t.equal(await continueWithGoogle(app, new Browser()), '/login?google=invitation')

    t.equal((await admin.post('/api/admin/invitations', { email: person.email })).status, 201)
    const invited = new Browser()
    t.equal(await continueWithGoogle(app, invited), '/login', 'the invited address may sign in')
    t.match(await (await invited.get(`${app.url}/api/auth/me`)).json(), { email: person.email, admission: 'admitted' })
    t.same((await admin.get('/api/admin/invitations')).body, [])

    await set('approval')
    become(aPerson())
    const waiting = new Browser()
    t.equal(await continueWithGoogle(app, waiting), '/login')
    t.match(await (await waiting.get(`${app.url}/api/auth/me`)).json(), { admission: 'waiting' })
  },
)

t.test('creates one account for two simultaneous first sign-ins, and admits both', async (t) => {
  const person = aPerson()
  become(person)
  const [gate, watcher] = [new pg.Client(app.services.DATABASE_URL), new pg.Client(app.services.DATABASE_URL)]
  await Promise.all([gate.connect(), watcher.connect()])
  t.teardown(() => Promise.all([gate.end(), watcher.end()]))
  // Both sign-ins look for the account before either of them creates it.
  await gate.query('begin; lock table dealers in share mode')
  const browsers = [new Browser(), new Browser()]
  const ways = Promise.all(browsers.map((browser) => continueWithGoogle(app, browser)))
  await untilBlocked(watcher, 'insert into "dealers"%', browsers.length)
  await gate.query('rollback')
  t.same(await ways, ['/login', '/login'])
  const answers = await Promise.all(browsers.map((browser) => browser.get(`${app.url}/api/auth/me`)))
  const ids = (await Promise.all(answers.map((answer) => answer.json()))).map(({ id }: { id: string }) => id)
  t.equal(new Set(ids).size, 1)
  t.type(ids[0], 'string')
})

t.test('refuses an email that Google has not verified', async (t) => {
  become(aPerson({ email_verified: false }))
  const browser = new Browser()
  t.equal(await continueWithGoogle(app, browser), '/login?google=unverified')
  t.equal((await browser.get(`${app.url}/api/auth/me`)).status, 401)
})

t.test('links an account with the same email only after its password', async (t) => {
  const person = aPerson()
  await app.visitor.post('/api/auth/signup', { email: person.email, password })
  become(person)
  const browser = new Browser()
  t.equal(await continueWithGoogle(app, browser), '/login?google=link')
  t.equal((await browser.get(`${app.url}/api/auth/me`)).status, 401, 'not signed in yet')
  const logged = t.capture(app.server.ctx.log, 'warn')
  t.equal((await browser.post(`${app.url}/api/auth/google/link`, { password: 'a guess at it' })).status, 401)
  const failed = { step: 'google', reason: 'wrong_password', address: '127.0.0.1' }
  t.match(logged().at(-1), { args: [failed] })
  t.equal((await browser.post(`${app.url}/api/auth/google/link`, { password })).status, 204)
  t.match(await (await browser.get(`${app.url}/api/auth/me`)).json(), { email: person.email })
  const later = new Browser()
  t.equal(await continueWithGoogle(app, later), '/login')
  t.match(await (await later.get(`${app.url}/api/auth/me`)).json(), { email: person.email })
})

t.test("invalidates a pending link when the account's email changes", async (t) => {
  const person = aPerson()
  const admin = await app.signIn('Lanewire', { role: 'admin' })
  const { body } = await app.visitor.post<{ user: { id: string } }>('/api/auth/signup', {
    email: person.email,
    password,
  })
  become(person)
  const browser = new Browser()
  t.equal(await continueWithGoogle(app, browser), '/login?google=link')
  const moved = `moved-${person.email}`
  t.equal((await admin.patch(`/api/admin/users/${body.user.id}`, { email: moved })).status, 200)
  t.equal((await browser.post(`${app.url}/api/auth/google/link`, { password })).status, 400)
  t.equal((await browser.get(`${app.url}/api/auth/me`)).status, 401)
})

async function joined(person: Person) {
  await app.visitor.post('/api/auth/signup', { email: person.email, password })
  become(person)
  const browser = new Browser()
  await continueWithGoogle(app, browser)
  await browser.post(`${app.url}/api/auth/google/link`, { password })
  return { browser, me: (await (await browser.get(`${app.url}/api/auth/me`)).json()) as { id: string } }
}

t.test("unlinks the Google account when an admin changes the account's email", async (t) => {
  const person = aPerson()
  const { me } = await joined(person)
  const admin = await app.signIn('Lanewire', { role: 'admin' })
  await admin.patch(`/api/admin/users/${me.id}`, { email: `given-${person.email}` })
  const later = new Browser()
  await continueWithGoogle(app, later)
  const found = (await (await later.get(`${app.url}/api/auth/me`)).json()) as { id: string }
  t.not(found.id, me.id, 'a separate account')
})

t.test('refuses a new invitation email for a dealer who joined by Google', async (t) => {
  const person = aPerson()
  const admin = await app.signIn('Lanewire', { role: 'admin' })
  const { body } = await admin.post<{ id: string }>('/api/admin/invitations', { email: person.email })
  become(person)
  t.equal(await continueWithGoogle(app, new Browser()), '/login')
  const given = `given-${person.email}`
  t.match(await admin.patch(`/api/admin/users/${body.id}`, { email: given }), { body: { invitedUntil: null } })
  t.same((await admin.get('/api/admin/invitations')).body, [])
  t.equal(
    (await admin.delete(`/api/admin/invitations/${body.id}`)).status,
    404,
    'the invitation cannot be revoked with the account',
  )
  t.match((await admin.get(`/api/admin/users?state=active&q=${given}`)).body, { total: 1 })
})

t.test('explains why it refuses a second Google account until the first is unlinked', async (t) => {
  const person = aPerson()
  const { browser } = await joined(person)
  become(aPerson({ email: person.email }))
  const second = new Browser()
  t.equal(await continueWithGoogle(app, second), '/login?google=link')
  t.equal((await second.post(`${app.url}/api/auth/google/link`, { password })).status, 409)
  const unlink = (proof: object) => browser.delete(`${app.url}/api/auth/google`, { proof })
  t.same([(await unlink({})).status, (await unlink({ password: 'not my password at all' })).status], [403, 403])
  t.equal((await unlink({ password })).status, 204)
  t.match(await (await browser.get(`${app.url}/api/auth/security`)).json(), { googleLinked: false })
  t.equal((await second.post(`${app.url}/api/auth/google/link`, { password })).status, 204)
})

t.test('requires the second factor after Google, for linked and newly linked accounts', async (t) => {
  const person = aPerson()
  const { me } = await joined(person)
  const newcomer = aPerson()
  const { body } = await app.visitor.post<{ user: { id: string } }>('/api/auth/signup', {
    email: newcomer.email,
    password,
  })
  const { db } = app.server.ctx
  await db.updateTable('dealers').set({ secondFactorAt: new Date() }).where('id', 'in', [me.id, body.user.id]).execute()
  const isAsked = async (browser: Browser) => {
    t.ok(browser.has('lanewire_second_factor'))
    t.notOk(browser.has('lanewire'))
    t.equal((await browser.get(`${app.url}/api/auth/me`)).status, 401)
    const status = (await (await browser.get(`${app.url}/api/auth/status`)).json()) as { secondFactor: object | null }
    t.ok(status.secondFactor)
  }
  become(person)
  const known = new Browser()
  t.equal(await continueWithGoogle(app, known), '/login')
  await isAsked(known)
  become(newcomer)
  const linking = new Browser()
  t.equal(await continueWithGoogle(app, linking), '/login?google=link')
  t.equal((await linking.post(`${app.url}/api/auth/google/link`, { password })).status, 202)
  await isAsked(linking)
})

t.test('ends a session when another dealer signs in with Google over it', async (t) => {
  const statusOf = async (browser: Browser) => (await browser.get(`${app.url}/api/auth/me`)).status
  const person = aPerson()
  become(person)
  const browser = new Browser()
  await continueWithGoogle(app, browser)
  const copied = browser.copy()
  await continueWithGoogle(app, browser)
  t.same([await statusOf(browser), await statusOf(copied)], [200, 401])

  const owner = aPerson()
  await app.visitor.post('/api/auth/signup', { email: owner.email, password })
  become(owner)
  const again = browser.copy()
  t.equal(await continueWithGoogle(app, browser), '/login?google=link')
  t.equal(await statusOf(browser), 200, 'nobody has signed in yet')
  t.equal((await browser.post(`${app.url}/api/auth/google/link`, { password })).status, 204)
  t.same([await statusOf(browser), await statusOf(again)], [200, 401])
})

t.test('accepts another Google sign-in as proof for the first password', async (t) => {
  become(aPerson())
  const browser = new Browser()
  await continueWithGoogle(app, browser)
  const { db } = app.server.ctx
  await db
    .updateTable('sessions')
    .set({ provenAt: new Date(Date.now() - 3_600_000) })
    .execute()
  const setPassword = async () =>
    (await browser.post(`${app.url}/api/auth/password/change`, { newPassword: password })).status
  t.equal(await setPassword(), 403)
  await continueWithGoogle(app, browser)
  t.equal(await setPassword(), 204)
})

t.test('refuses to unlink the only way into an account', async (t) => {
  become(aPerson())
  const browser = new Browser()
  await continueWithGoogle(app, browser)
  t.equal((await browser.delete(`${app.url}/api/auth/google`, {})).status, 409)
  t.match(await (await browser.get(`${app.url}/api/auth/security`)).json(), { googleLinked: true })
})

t.test('applies the rule for email addresses to addresses from Google', async (t) => {
  become(aPerson({ email: 'ann@gmail.example,ben@gmail.example' }))
  t.equal(await continueWithGoogle(app, new Browser()), '/login?google=unverified')
})

t.test('links nothing in a browser that did not go through Google', async (t) => {
  t.equal((await new Browser().post(`${app.url}/api/auth/google/link`, { password })).status, 400)
})

t.test('refuses a callback with a foreign state', async (t) => {
  become(aPerson())
  const browser = new Browser()
  await browser.get(`${app.url}/api/auth/google`)
  const forged = await browser.get(`${app.url}/api/auth/google/callback?code=stolen&state=forged`)
  t.equal(forged.headers.get('location'), '/login?google=failed')
  t.notOk(browser.has('lanewire'))
})

t.test('returns with a message from the button if Google is not configured', async (t) => {
  const plain = await startApp(t)
  const { status, headers } = await plain.visitor.get('/api/auth/google')
  t.equal(status, 302)
  t.equal(headers.get('location'), '/login?google=off')
})
