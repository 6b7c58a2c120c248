import t from 'tap'
import type { AdminUser, AdminUsersPage, Invitation } from '#shared/schemas/admin.ts'
import type { AuditPage } from '#shared/schemas/audit.ts'
import type { Joining } from '#shared/schemas/auth.ts'
import type { CurrentUser } from '#shared/schemas/dealers.ts'
import { setupText } from '#server/features/auth/setup.service.ts'
import { type Answer, type Caller, startApp } from '#tests/support/app.ts'
import { listCalls } from '#tests/support/calls.ts'
import { mailTo } from '#tests/support/mail.ts'
import { aProfile } from '#tests/support/newcomer.ts'
import { allowUpload } from '#tests/support/uploads.ts'
import { until } from '#tests/support/wait.ts'

const app = await startApp(t)
const other = await startApp(t, { ROLES: 'api' }, app.services)
t.beforeEach(async () => {
  await app.startOver()
  // `startOver` does not reset this setting.
  await app.server.ctx.db.updateTable('networkSettings').set({ joining: 'open' }).execute()
})

const password = 'seven quiet lorries at dawn'
const setup = { name: 'Avery Lane', dealershipName: 'Lane Wholesale', email: 'avery@lane.example', password }

const enter = (answer: Answer): Caller =>
  app.on(app, { ...app.visitor, cookie: answer.headers.get('set-cookie')?.split(';')[0] ?? '' })
const tokenIn = (text: string | undefined) => /token=([\w-]+)/.exec(text ?? '')?.[1] ?? ''
const tokenNow = async () => tokenIn(await setupText(app.server.ctx))
const signUp = (email: string, at = app) =>
  at.visitor.post<{ user: CurrentUser }>('/api/auth/signup', { email, password })
const me = async (caller: Caller) => (await caller.get<CurrentUser>('/api/auth/me')).body
const lastAct = async (admin: Caller) => (await admin.get<AuditPage>('/api/admin/audit')).body.entries[0]
const refused = (code: string) => ({ status: 403, body: { error: { code } } })

async function adminOf(joining: Joining): Promise<Caller> {
  const admin = await app.signIn('Lanewire', { role: 'admin' })
  t.match(await admin.patch('/api/admin/network', { joining }), { status: 200, body: { joining, verifiedOnly: false } })
  return admin
}

async function waitingDealer(email = 'new@dealer.example'): Promise<Caller> {
  const caller = enter(await signUp(email))
  await caller.post('/api/auth/complete-profile', { ...aProfile, email })
  return app.on(app, { ...caller, id: (await me(caller)).id })
}

t.test('sets an empty network up once, with the token that every process prints', async (t) => {
  const words = await setupText(app.server.ctx)
  const token = tokenIn(words)
  t.match(words, /This network has no admin yet/)
  t.equal(tokenIn(await setupText(other.server.ctx)), token, 'every process prints the same token')
  t.match((await app.visitor.get('/api/auth/joining')).body, { joining: 'open', needsSetup: true })
  const stored = await app.server.ctx.db.selectFrom('firstAdmin').selectAll().executeTakeFirstOrThrow()
  t.notMatch(JSON.stringify([stored, stored.salt.toString(), stored.salt.toString('base64')]), token, 'not stored')

  t.match(await app.visitor.post('/api/auth/setup', { ...setup, token: 'AAAAA-AAAAA-AAAAA-AAAAA' }), {
    status: 403,
    body: { error: { details: { fields: ['token'] } } },
  })
  t.match(await app.visitor.post('/api/auth/setup', { ...setup, token, password: 'Password1234!' }), {
    status: 400,
    body: { error: { details: { fields: ['password'] } } },
  })
  t.equal((await app.visitor.post('/api/auth/setup', { ...setup, token, name: '   ' })).status, 400)

  const made = await app.visitor.post('/api/auth/setup', { ...setup, token: token.toLowerCase().replaceAll('-', ' ') })
  t.equal(made.status, 201, 'in any spelling')
  const admin = enter(made)
  t.match(await me(admin), {
    role: 'admin',
    name: 'Avery Lane',
    dealershipName: 'Lane Wholesale',
    admission: 'admitted',
  })
  t.equal((await admin.get('/api/admin/overview')).status, 200)
  t.match(await lastAct(admin), { action: 'network.setUp', actorName: 'Avery Lane', subjectName: 'Avery Lane' })
  await mailTo(app, setup.email, /Confirm your email/)

  t.equal(await setupText(other.server.ctx), undefined, 'no process prints it any more')
  t.match((await other.visitor.get('/api/auth/joining')).body, { needsSetup: false })
  t.match(await other.visitor.post('/api/auth/setup', { ...setup, email: 'two@lane.example', token }), {
    status: 404,
    body: { error: { message: 'This network is already set up' } },
  })
})

t.test('creates one first admin if many set up at once', async (t) => {
  const token = await tokenNow()
  const answers = await Promise.all(
    [1, 2, 3, 4].map((one) =>
      (one % 2 ? app : other).visitor.post('/api/auth/setup', { ...setup, email: `${one}@lane.example`, token }),
    ),
  )
  t.same(answers.map(({ status }) => status).toSorted(), [201, 404, 404, 404])
  const admins = await app.server.ctx.db.selectFrom('dealers').select('id').where('role', '=', 'admin').execute()
  t.equal(admins.length, 1)
})

t.test('stops guesses of the token after a few', async (t) => {
  const strict = await startApp(t, { RATE_LIMITS: 'on', ROLES: 'api' }, app.services)
  const guess = () => strict.visitor.post('/api/auth/setup', { ...setup, token: 'AAAAA-AAAAA-AAAAA-AAAAA' })
  const answers = []
  for (let one = 0; one < 11; one += 1) answers.push((await guess()).status)
  t.same(answers, [...Array.from({ length: 10 }, () => 403), 429])
})

t.test(
  'does not make the first account an admin, can still be set up, and protects the address of that account',
  async (t) => {
    await signUp('early@dealer.example')
    const token = await tokenNow()
    t.match((await app.visitor.get('/api/auth/joining')).body, { needsSetup: true })
    t.match(await app.visitor.post('/api/auth/setup', { ...setup, email: 'EARLY@dealer.example', token }), {
      status: 409,
      body: { error: { details: { fields: ['email'] } } },
    })
    t.equal((await app.visitor.post('/api/auth/setup', { ...setup, token })).status, 201)
  },
)

t.test(
  'hides an account that waits for approval and everything from it, then admits it on every node at once',
  async (t) => {
    const admin = await adminOf('approval')
    t.match((await other.visitor.get('/api/auth/joining')).body, { joining: 'approval' })
    const member = await app.signIn('Member Motors')
    const answer = await signUp('new@dealer.example', other)
    t.match(answer, { status: 201, body: { user: { admission: 'waiting' } } })
    const newcomer = enter(answer)
    const elsewhere = app.on(other, newcomer)
    const code = refused('approval_required')
    t.match(await newcomer.get('/api/inventory'), code)
    t.match(await newcomer.get('/api/notifications'), code)
    await t.rejects(newcomer.live(), { message: 'approval_required' })

    t.equal((await newcomer.get('/api/onboarding')).status, 200)
    const license = { number: 'TX-1', state: 'TX', expiresOn: '2030-01-31', scan: null }
    const profile = { ...aProfile, email: 'new@dealer.example', license }
    t.equal((await newcomer.post('/api/auth/complete-profile', profile)).status, 200)
    const noLicense = { number: '', state: '', expiresOn: '', scan: null }
    const unlicensed = { ...profile, license: noLicense }
    t.equal((await newcomer.post('/api/auth/complete-profile', unlicensed)).status, 200)
    const account = await admin.get<AdminUser>(`/api/admin/users/${(await me(newcomer)).id}`)
    t.equal(account.body.license.status, 'none')
    t.equal((await newcomer.post('/api/auth/complete-profile', profile)).status, 200)
    t.match(await newcomer.get('/api/dealers'), code, 'a profile does not suffice')
    t.match(await newcomer.post('/api/complete-payment', {}), code, 'no payment before approval')

    const { id } = await me(newcomer)
    t.equal((await member.get(`/api/dealers/${id}`)).status, 404, 'nobody sees the account')
    t.notMatch(JSON.stringify((await member.get('/api/dealers')).body), id)

    t.match((await admin.get('/api/admin/overview')).body, { waitingAccounts: 1 })
    const queue = await admin.get<AdminUsersPage>('/api/admin/users?state=waiting')
    t.match(queue.body, {
      total: 1,
      users: [
        {
          id,
          admission: 'waiting',
          profileComplete: true,
          emailVerified: false,
          license: { number: 'TX-1', status: 'waiting' },
        },
      ],
    })
    t.match(await member.post(`/api/admin/users/${id}/admission`, { verdict: 'approved' }), refused('forbidden'))
    t.match(await newcomer.post(`/api/admin/users/${id}/admission`, { verdict: 'approved' }), code)

    t.equal((await admin.post(`/api/admin/users/${id}/admission`, { verdict: 'approved' })).status, 200)
    t.equal((await elsewhere.get('/api/inventory')).status, 200, 'at once, on the other node')
    t.equal((await newcomer.get('/api/inventory')).status, 200)
    ;(await newcomer.live()).close()
    t.equal((await member.get(`/api/dealers/${id}`)).status, 200)
    t.match(await lastAct(admin), {
      action: 'user.approve',
      before: { admission: 'waiting' },
      after: { admission: 'admitted' },
    })
    t.match((await mailTo(app, 'new@dealer.example', /approved/)).text, /You can now use the network/)
    t.equal((await admin.post(`/api/admin/users/${id}/admission`, { verdict: 'approved' })).status, 409, 'only once')
  },
)

t.test('shows a declined dealer the reason, refuses access, and allows a later approval', async (t) => {
  const admin = await adminOf('approval')
  const dealer = await waitingDealer()
  const judge = (body: object) => admin.post<AdminUser>(`/api/admin/users/${dealer.id}/admission`, body)
  t.match(await judge({ verdict: 'declined' }), { status: 400, body: { error: { details: { fields: ['reason'] } } } })
  t.match(await judge({ verdict: 'declined', reason: 'No license on record' }), {
    status: 200,
    body: { admission: 'declined', declinedReason: 'No license on record' },
  })
  t.match(await me(dealer), { admission: 'declined', declinedReason: 'No license on record' })
  t.match(await dealer.get('/api/inventory'), refused('approval_required'))
  t.match((await mailTo(app, 'new@dealer.example', /not approved/)).text, /No license on record/)
  t.match(await lastAct(admin), { action: 'user.decline', reason: 'No license on record' })
  t.match((await admin.get('/api/admin/users?state=waiting')).body, { total: 0, users: [] })
  t.match((await admin.get('/api/admin/users?state=declined')).body, { total: 1 })
  t.equal((await judge({ verdict: 'declined', reason: 'Once more' })).status, 409)
  t.equal((await judge({ verdict: 'approved' })).status, 200)
  t.match(await me(dealer), { admission: 'admitted', declinedReason: '' })
})

t.test('keeps waiting accounts waiting when the network opens, and admits new ones', async (t) => {
  const admin = await adminOf('approval')
  const before = await waitingDealer()
  await admin.patch('/api/admin/network', { joining: 'open' })
  t.match(await lastAct(admin), { action: 'network.edit', before: { joining: 'approval' }, after: { joining: 'open' } })
  t.match(await before.get('/api/inventory'), refused('approval_required'))
  t.match((await signUp('later@dealer.example', other)).body, { user: { admission: 'admitted' } })
  t.match((await admin.get('/api/admin/overview')).body, { waitingAccounts: 1 })
  t.equal((await admin.delete(`/api/admin/users/${before.id}`, { reason: 'Asked for it' })).status, 204)
  t.match((await admin.get('/api/admin/overview')).body, { waitingAccounts: 0 })
})

t.test(
  'limits an account that waits for approval to its own profile, its own security and the public calls',
  async (t) => {
    const admin = await adminOf('approval')
    const dealer = await waitingDealer()
    const calls = (await listCalls(admin)).filter(({ path }) => path.startsWith('/api/'))
    const ends = new Set([
      'POST /api/auth/logout',
      'POST /api/auth/create-dummy',
      'DELETE /api/account',
      'DELETE /api/auth/sessions',
    ])
    const open: string[] = []
    for (const { name, method, path } of calls) {
      if (ends.has(name)) continue
      const response = await fetch(app.url + path, { method, redirect: 'manual', headers: { cookie: dealer.cookie } })
      const body = (await response.json().catch(() => ({}))) as { error?: { code?: string } }
      if (response.status !== 403 || body.error?.code !== 'approval_required') open.push(name)
    }
    const ofSecondFactor = /\/auth\/(authenticator|passkeys|proof|recovery-codes|second-factor)\b/
    t.equal(open.filter((name) => ofSecondFactor.test(name)).length, 16)
    t.same(open.filter((name) => !ofSecondFactor.test(name)).toSorted(), [
      'DELETE /api/auth/google',
      'DELETE /api/auth/sessions/{id}',
      'GET /api/account/export',
      'GET /api/account/export/{id}',
      'GET /api/activity-ticker',
      'GET /api/auth/google',
      'GET /api/auth/joining',
      'GET /api/auth/me',
      'GET /api/auth/security',
      'GET /api/auth/status',
      'GET /api/demo/mail',
      'GET /api/lists/{list}/confirm',
      'GET /api/lists/{list}/leave',
      'GET /api/objects/{id}',
      'GET /api/objects/{id}/status',
      'GET /api/onboarding',
      'GET /api/payment-config',
      'GET /api/status',
      'GET /api/status/incidents',
      'GET /api/subscription-plans',
      'PATCH /api/onboarding',
      'POST /api/account/export',
      'POST /api/auth/complete-profile',
      'POST /api/auth/email/resend',
      'POST /api/auth/email/verify',
      'POST /api/auth/keys/revoke',
      'POST /api/auth/login',
      'POST /api/auth/password/change',
      'POST /api/auth/password/forgot',
      'POST /api/auth/password/reset',
      'POST /api/auth/setup',
      'POST /api/auth/signup',
      'POST /api/contact',
      'POST /api/lists/{list}/leave',
      'POST /api/newsletter',
      'POST /api/objects/upload',
      'POST /api/onboarding/email',
      'POST /api/profile/email',
      'POST /api/profile/email/confirm',
      'POST /api/status/subscriptions',
      'POST /api/webhooks/stripe',
      'PUT /api/objects/{id}',
    ])
  },
)

t.test('hides files of others from an account that waits, but not its own', async (t) => {
  await adminOf('approval')
  const dealer = await waitingDealer()
  const member = await app.signIn('Member Motors')
  const [own, others] = [await allowUpload(dealer), await allowUpload(member)]
  const avatar = `/api/objects/${others.objectId}`
  await app.server.ctx.db.updateTable('dealers').set({ avatar }).where('id', '=', member.id).execute()
  const status = async (reader: Caller, { objectId }: { objectId: string }) =>
    (await reader.get(`/api/objects/${objectId}/status`)).status
  t.equal(await status(dealer, own), 200)
  t.equal(await status(dealer, others), 404)
  t.equal(await status(await app.signIn('Third Motors'), others), 200, 'others can see it')
})

const linkTo = async (email: string) => tokenIn((await mailTo(app, email, /invited/)).text)
const reset = (token: string) => app.visitor.post('/api/auth/password/reset', { token, password })

async function invited(admin: Caller, email: string): Promise<Invitation> {
  const { status, body } = await admin.post<Invitation>('/api/admin/invitations', { email })
  t.equal(status, 201)
  return body
}

t.test('admits each invited address once if the network requires an invitation', async (t) => {
  const admin = await adminOf('invitation')
  t.match(await signUp('stranger@dealer.example'), refused('invitation_required'))
  const invitation = await invited(admin, 'guest@dealer.example')
  t.match(invitation, { email: 'guest@dealer.example', role: 'dealer', expired: false })
  t.match((await admin.get<Invitation[]>('/api/admin/invitations')).body, [{ id: invitation.id }])
  t.match(await signUp('guest@dealer.example'), refused('invitation_required'), 'refused without the link')
  t.equal((await admin.post('/api/admin/invitations', { email: 'GUEST@dealer.example' })).status, 409)
  const { text } = await mailTo(app, 'guest@dealer.example', /invited/)
  t.match(text, '/reset?invited#token=')
  t.equal((await reset(tokenIn(text))).status, 200)
  t.equal((await reset(tokenIn(text))).status, 400, 'the link works once')
  const guest = enter(await app.visitor.post('/api/auth/login', { email: 'guest@dealer.example', password }))
  t.match(await me(guest), { admission: 'admitted', profileComplete: false })
  t.same((await admin.get('/api/admin/invitations')).body, [], 'an accepted invitation is no longer listed')
  t.equal((await admin.delete(`/api/admin/invitations/${invitation.id}`)).status, 404, 'it cannot be revoked')
})

t.test('resends and revokes invitations, and refuses expired ones', async (t) => {
  const admin = await adminOf('invitation')
  const { id } = await invited(admin, 'guest@dealer.example')
  const first = await linkTo('guest@dealer.example')
  t.equal((await admin.post(`/api/admin/invitations/${id}/resend`)).status, 200)
  const second = await until('the second mail', async () => {
    const token = await linkTo('guest@dealer.example')
    return token === first ? undefined : token
  })
  t.equal((await reset(first)).status, 400, 'the first link is invalid')

  const { db } = app.server.ctx
  const past = new Date(Date.now() - 60_000)
  await db.updateTable('dealers').set({ invitedUntil: past }).where('id', '=', id).execute()
  await db.updateTable('authTokens').set({ expiresAt: past }).where('dealerId', '=', id).execute()
  t.match((await admin.get('/api/admin/invitations')).body, [{ id, expired: true }])
  t.equal((await reset(second)).status, 400)
  await app.visitor.post('/api/auth/password/forgot', { email: 'guest@dealer.example' })
  await until('the job to finish', async () => {
    const waiting = await db.selectFrom('outbox').select('id').where('name', '=', 'mail.reset').execute()
    return waiting.length === 0
  })
  const links = await db
    .selectFrom('authTokens')
    .select('kind')
    .where('dealerId', '=', id)
    .where('expiresAt', '>', new Date())
    .execute()
  t.same(links, [], 'no other link extends the expiry')

  await admin.post(`/api/admin/invitations/${id}/resend`)
  t.match((await admin.get('/api/admin/invitations')).body, [{ id, expired: false }])
  t.equal((await admin.delete(`/api/admin/invitations/${id}`)).status, 204)
  t.same((await admin.get('/api/admin/invitations')).body, [])
  t.match(await lastAct(admin), { action: 'user.uninvite' })
  t.equal((await db.selectFrom('authTokens').select('kind').where('dealerId', '=', id).execute()).length, 0)
  await invited(admin, 'guest@dealer.example')
})
