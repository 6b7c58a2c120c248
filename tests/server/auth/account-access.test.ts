import { randomBytes } from 'node:crypto'
import pg from 'pg'
import t, { type Test } from 'tap'
import type { AccessChanged, AccountSecurity, CreatedApiKey } from '#shared/schemas/account.ts'
import type { OwnProfile } from '#shared/schemas/dealers.ts'
import { hashPassword } from '#server/features/auth/passwords.ts'
import { startApp, type Answer, type Caller } from '#tests/support/app.ts'
import { untilBlocked } from '#tests/support/locks.ts'
import { addCalls } from '#tests/support/limits.ts'
import { mailsOf, mailTo } from '#tests/support/mail.ts'
import { aProfile } from '#tests/support/newcomer.ts'
import { until } from '#tests/support/wait.ts'

const app = await startApp(t)
const { visitor } = app
const password = 'seven quiet lorries at dawn'
const next = 'another seven quiet lorries'
const anEmail = () => `${randomBytes(6).toString('hex')}@dealer.example`

const cookieOf = (answer: Answer): string => answer.headers.get('set-cookie')?.split(';')[0] ?? ''
const as = (cookie: string): Caller => app.on(app, { ...visitor, cookie })
const signIn = async (email: string, word = password) =>
  as(cookieOf(await visitor.post('/api/auth/login', { email, password: word })))
const linkTo = async (email: string, subject: RegExp) =>
  /(?:token|change)=(\S+)/.exec((await mailTo(app, email, subject)).text)?.[1] ?? ''
const idOf = async (caller: Caller) => (await caller.get<{ id: string }>('/api/auth/me')).body.id
const admin = await app.signIn('Lanewire', { role: 'admin' })
const emailOf = async (caller: Caller) => (await caller.get<{ email: string }>('/api/auth/me')).body.email
const isOut = (caller: Caller) =>
  until('a session to end', async () => (await caller.get('/api/auth/me')).status === 401)

async function signUp() {
  const email = anEmail()
  return { email, caller: as(cookieOf(await visitor.post('/api/auth/signup', { email, password }))) }
}

/** Creates an account with every pending action that could give someone access to it or change its email address. */
async function besieged() {
  const { email, caller } = await signUp()
  const verify = await linkTo(email, /Confirm your email/)
  t.equal((await caller.post('/api/auth/complete-profile', { ...aProfile, email })).status, 200)
  t.equal((await admin.post(`/api/admin/users/${await idOf(caller)}/api-access`, { granted: true })).status, 200)
  const other = await signIn(email)
  const wanted = anEmail()
  t.equal((await other.post('/api/profile/email', { email: wanted, proof: { password } })).status, 204)
  const change = await linkTo(wanted, /new email/)
  t.equal((await visitor.post('/api/auth/password/forgot', { email })).status, 204)
  const reset = await linkTo(email, /new Lanewire password/)
  const key = (
    await caller.post<CreatedApiKey>('/api/api-keys', { name: 'Website', scope: 'read', proof: { password } })
  ).body
  const tab = await other.live()
  return { email, caller, other, tab, wanted, links: { verify, change, reset }, key }
}

type Besieged = Awaited<ReturnType<typeof besieged>>

async function isOver(t: Test, { links, other, tab, wanted }: Besieged, used: keyof Besieged['links'] | 'none') {
  const dead: Record<keyof Besieged['links'], () => Promise<Answer>> = {
    verify: () => visitor.post('/api/auth/email/verify', { token: links.verify }),
    change: () => visitor.post('/api/profile/email/confirm', { token: links.change }),
    reset: () =>
      visitor.post('/api/auth/password/reset', { token: links.reset, password: 'yet another set of lorries' }),
  }
  for (const [kind, open] of Object.entries(dead))
    t.equal((await open()).status, 400, kind === used ? `${kind}: only once` : `${kind}: its link is invalid`)
  await until('the other socket to close', () => !tab.socket.connected)
  await isOut(other)
  t.equal((await visitor.post('/api/auth/password/forgot', { email: wanted })).status, 204)
}

const calls = (secret: string) => visitor.get('/api/deals', undefined, { authorization: `Bearer ${secret}` })

t.test('ends everything else in progress at a password reset, mails it, and offers to revoke keys', async (t) => {
  const account = await besieged()
  const { email, caller, links, key } = account
  await app.server.ctx.db
    .updateTable('dealers')
    .set({ emailVerifiedAt: new Date() })
    .where('email', '=', email)
    .execute()
  const done = await visitor.post<AccessChanged>('/api/auth/password/reset', { token: links.reset, password: next })
  t.equal(done.status, 200)
  await isOver(t, account, 'reset')
  await isOut(caller)
  const owner = await signIn(email, next)
  t.equal(await emailOf(owner), email)
  t.equal((await owner.get<OwnProfile>('/api/profile')).body.pendingEmail, null)
  t.match((await mailTo(app, email, /password was reset/)).text, /If this wasn't you/)

  t.match(done.body.apiKeys, [{ id: key.key.id, name: 'Website' }])
  t.equal((await calls(key.secret)).status, 200, 'valid until revoked')
  const { revokeToken } = done.body
  t.equal((await visitor.post('/api/auth/keys/revoke', { token: 'x'.repeat(43) })).status, 400)
  t.equal((await visitor.post('/api/auth/keys/revoke', { token: revokeToken })).status, 204)
  t.equal((await calls(key.secret)).status, 401)
  t.equal((await visitor.post('/api/auth/keys/revoke', { token: revokeToken })).status, 400, 'valid once')
  t.equal((await visitor.post('/api/auth/password/reset', { token: revokeToken, password })).status, 400)
})

t.test('ends everything else in progress when a password changes, but keeps that session', async (t) => {
  const account = await besieged()
  const { email, caller, key } = account
  const changed = await caller.post('/api/auth/password/change', { currentPassword: password, newPassword: next })
  t.equal(changed.status, 204)
  await isOver(t, account, 'none')
  const owner = as(cookieOf(changed))
  t.equal(await emailOf(owner), email)
  t.equal((await owner.get<OwnProfile>('/api/profile')).body.pendingEmail, null)
  t.match((await mailTo(app, email, /password was changed/)).text, /If this wasn't you/)
  t.equal((await owner.delete('/api/api-keys')).status, 204)
  t.same((await owner.get('/api/api-keys')).body, [])
  t.equal((await calls(key.secret)).status, 401)
})

t.test('ends everything else in progress when a new email is confirmed, and notifies the old address', async (t) => {
  const account = await besieged()
  const { email, caller, wanted, links, key } = account
  const done = await caller.post<AccessChanged>('/api/profile/email/confirm', { token: links.change })
  t.equal(done.status, 200)
  await isOver(t, account, 'change')
  const owner = as(cookieOf(done))
  t.equal(await emailOf(owner), wanted, 'the session that opened the link stays signed in')
  await isOut(caller)
  const told = await mailTo(app, email, /email was changed/)
  t.match(told.text, /If this wasn't you/)
  t.notMatch(told.text, wanted, 'somebody else may read the old mailbox now')
  t.equal((await visitor.post('/api/auth/login', { email, password })).status, 401)
  t.equal((await visitor.post('/api/auth/login', { email: wanted, password })).status, 200)
  t.match(done.body.apiKeys, [{ id: key.key.id }])
  t.equal((await visitor.post('/api/auth/keys/revoke', { token: done.body.revokeToken })).status, 204)
  t.equal((await calls(key.secret)).status, 401)
})

t.test('offers no link to revoke keys if there are none', async (t) => {
  const { email } = await signUp()
  await visitor.post('/api/auth/password/forgot', { email })
  const token = await linkTo(email, /new Lanewire password/)
  const { body } = await visitor.post('/api/auth/password/reset', { token, password: next })
  t.same(body, { apiKeys: [], revokeToken: null })
})

t.test('invalidates an unconfirmed email when another one is requested', async (t) => {
  const { email, caller } = await signUp()
  const [first, second] = [anEmail(), anEmail()]
  await caller.post('/api/profile/email', { email: first, proof: { password } })
  const early = await linkTo(first, /new email/)
  await caller.post('/api/profile/email', { email: second, proof: { password } })
  t.equal((await visitor.post('/api/profile/email/confirm', { token: early })).status, 400)
  t.equal(await emailOf(caller), email)
})

t.test('refuses a sign-in or change that was in progress when the password was reset', async (t) => {
  const { email, caller } = await signUp()
  const watcher = new pg.Client({ connectionString: app.services['DATABASE_URL'] })
  await watcher.connect()
  t.teardown(() => watcher.end())
  const other = anEmail()
  const passwordHash = await hashPassword(next)
  const underWay = await app.server.ctx.db.transaction().execute(async (tx) => {
    await tx.updateTable('dealers').set({ passwordHash }).where('email', '=', email).execute()
    // These requests are in progress and will check the old password.
    const calls = {
      signIn: visitor.post('/api/auth/login', { email, password }),
      move: caller.post('/api/profile/email', { email: other, proof: { password } }),
      change: caller.post('/api/auth/password/change', {
        currentPassword: password,
        newPassword: 'mine from now on, all of it',
      }),
    }
    await untilBlocked(watcher, 'insert into "sessions"%')
    await until('both changes to wait', async () => {
      const { rowCount } = await watcher.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like 'select % from "dealers"%'`,
      )
      return rowCount === 2
    })
    return calls
  })
  for (const [name, call] of Object.entries(underWay)) t.equal((await call).status, 401, name)
  t.equal((await visitor.post('/api/auth/login', { email, password: next })).status, 200)
  t.notOk((await mailsOf(app)).some(({ to }) => to === other))
})

t.test("lets an admin change an account's email, tells the dealer, records it, and ends the rest", async (t) => {
  const admin = await app.signIn('Lanewire', { role: 'admin' })
  const account = await besieged()
  const { id } = (await account.caller.get<{ id: string }>('/api/auth/me')).body
  const given = anEmail()
  t.match(await admin.patch(`/api/admin/users/${id}`, { email: given }), { status: 200, body: { email: given } })
  await isOver(t, account, 'none')
  await isOut(account.caller)
  t.equal((await calls(account.key.secret)).status, 401, 'an old key is refused too')
  t.match((await mailTo(app, account.email, /email was changed/)).text, /An admin changed it/)
  const welcome = await linkTo(given, /new email/)
  t.equal((await visitor.post('/api/auth/email/verify', { token: welcome })).status, 204)
  const owner = await signIn(given)
  t.match((await owner.get<AccountSecurity>('/api/auth/security')).body, { email: given, emailVerified: true })
  const { entries } = (
    await admin.get<{ entries: { action: string; before: unknown; after: unknown }[] }>(`/api/admin/audit?q=${id}`)
  ).body
  t.match(entries[0], { action: 'user.edit', before: { email: account.email }, after: { email: given } })

  await admin.patch(`/api/admin/users/${id}`, { email: given.toUpperCase() })
  t.equal((await owner.get('/api/auth/me')).status, 200, 'another case is the same address')
  t.equal(
    (await admin.patch(`/api/admin/users/${admin.id}`, { email: anEmail() })).status,
    409,
    'admins change their own email elsewhere',
  )
})

t.test('invites a dealer again at the right address after a typo', async (t) => {
  const admin = await app.signIn('Lanewire', { role: 'admin' })
  const [wrong, right] = [anEmail(), anEmail()]
  const invited = { name: 'New Dealer', dealershipName: 'New Motors', dealershipType: 'independent', role: 'dealer' }
  const { body } = await admin.post<{ id: string }>('/api/admin/users', { ...invited, email: wrong })
  const early = await linkTo(wrong, /invited/)
  await admin.patch(`/api/admin/users/${body.id}`, { email: right })
  t.equal((await visitor.post('/api/auth/password/reset', { token: early, password: next })).status, 400)
  const token = await linkTo(right, /new email/)
  t.equal((await visitor.post('/api/auth/password/reset', { token, password: next })).status, 200)
  t.equal((await visitor.post('/api/auth/login', { email: right, password: next })).status, 200)
})

t.test('limits these calls per account and address, and the mails to one mailbox', async (t) => {
  const limited = await startApp(t, { RATE_LIMITS: 'on', TRUST_PROXY: 'on' })
  const from = (address: string) => ({ 'x-forwarded-for': address })
  const tries = async (count: number, call: (n: number) => Promise<Answer>) => {
    const statuses = new Map<number, number>()
    for (let n = 0; n < count; n += 1) {
      const { status } = await call(n)
      await addCalls(limited, '', 0)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
    return Object.fromEntries(statuses)
  }
  const mailbox = anEmail()
  const askers = await Promise.all(Array.from({ length: 7 }, () => limited.signIn()))
  const ask = (n: number) =>
    askers[n]?.post('/api/profile/email', { email: mailbox }, from(`10.1.0.${n}`)) ??
    Promise.reject(new Error('nobody'))
  t.same(await tries(7, ask), { 204: 5, 429: 2 }, 'mails to one mailbox from any sender')

  const dealers = await Promise.all(Array.from({ length: 22 }, () => limited.signIn()))
  const wrong = { currentPassword: 'none', newPassword: 'password1234' }
  const change = (n: number) =>
    dealers[n]?.post('/api/auth/password/change', wrong, from('10.2.0.1')) ?? Promise.reject(new Error('nobody'))
  t.same(await tries(22, change), { 400: 20, 429: 2 }, 'changes from one address')

  const dealer = await limited.signIn()
  const save = () => dealer.post('/api/auth/complete-profile', aProfile, from('10.3.0.1'))
  t.same(await tries(32, save), { 200: 30, 429: 2 }, 'saves of one profile')
})
