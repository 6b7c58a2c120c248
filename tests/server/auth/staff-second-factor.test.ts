import { randomBytes } from 'node:crypto'
import t from 'tap'
import type { ErrorBody } from '#shared/errors.ts'
import type { AccountSecurity } from '#shared/schemas/account.ts'
import type { DealerFile, NetworkSettings } from '#shared/schemas/admin.ts'
import type { PasskeyOptions } from '#shared/schemas/auth.ts'
import type { NotificationsPage } from '#shared/schemas/notifications.ts'
import { loadConfig } from '#server/config/config.ts'
import { connectAlone } from '#server/features/admin/backups/backup-tables.repository.ts'
import { hashPassword } from '#server/features/auth/passwords.ts'
import { startApp, type Caller } from '#tests/support/app.ts'
import { codeOf } from '#tests/support/authenticator.ts'
import { listCalls } from '#tests/support/calls.ts'
import { publish } from '#tests/support/factories.ts'
import { untilBlocked } from '#tests/support/locks.ts'
import { mailTo } from '#tests/support/mail.ts'
import { patienceMs } from '#tests/support/patience.ts'
import { cookieOf, createGuarded, finish, password } from '#tests/support/second-factor.ts'
import { until } from '#tests/support/wait.ts'

const app = await startApp(t)
const { db } = app.server.ctx
const { as, signUp, withApp, addPasskey, login, halfWay } = createGuarded(app)
const securityOf = async (caller: Caller) => (await caller.get<AccountSecurity>('/api/auth/security')).body

async function setRule(on: boolean | null): Promise<void> {
  await db.updateTable('networkSettings').set({ staffSecondFactor: on }).execute()
}

t.test('refuses staff calls to admins and ops without a required second factor', async (t) => {
  t.teardown(() => setRule(null))
  const [admin, ops] = [await signUp('admin'), await signUp('ops')]
  const dealer = (await signUp()).caller
  t.equal((await admin.caller.get('/api/admin/overview')).status, 200, 'not required outside production')
  await setRule(true)
  const calls = (await listCalls(dealer)).filter(({ path }) => /^\/api\/(admin|ops)\b/.test(path))
  t.ok(calls.length > 20)
  for (const { method, path, name } of calls) {
    const answer = await fetch(app.url + path, { method, headers: { cookie: admin.caller.cookie } })
    t.equal(answer.status, 403, name)
    t.equal(((await answer.json()) as ErrorBody).error.code, 'second_factor_required', name)
  }
  const refusal = async (caller: Caller, path: string) => (await caller.get<ErrorBody>(path)).body.error.code
  t.equal(await refusal(ops.caller, '/api/ops/health'), 'second_factor_required')
  t.equal(await refusal(ops.caller, '/api/admin/overview'), 'forbidden', 'forbidden with a factor too')
  t.equal(await refusal(dealer, '/api/admin/overview'), 'forbidden')
  t.equal((await fetch(`${app.url}/admin/queues/board`, { headers: { cookie: ops.caller.cookie } })).status, 403)
  t.match((await admin.caller.get('/api/auth/me')).body, { role: 'admin', secondFactorDue: true })
  t.match((await dealer.get('/api/auth/me')).body, { secondFactorDue: false })

  const tab = await ops.caller.live()
  const view = () => tab.socket.timeout(patienceMs).emitWithAck('view', { kind: 'ops', id: 'queues', on: true })
  t.notMatch(await view(), { ok: true }, 'sockets are refused too')

  const guarded = await withApp(ops)
  t.equal((await guarded.caller.get('/api/ops/health')).status, 200)
  t.match((await guarded.caller.get('/api/auth/me')).body, { secondFactorDue: false })
  await until('the old socket to close', () => !tab.socket.connected)
  const off = await guarded.caller.delete<ErrorBody>('/api/auth/authenticator', { proof: { password } })
  t.equal(off.status, 409, 'the last factor stays')
  t.equal((await securityOf(guarded.caller)).secondFactor.app, 'on')
  const { caller } = await addPasskey(guarded.caller)
  t.equal(
    (await caller.delete('/api/auth/authenticator', { proof: { password } })).status,
    204,
    'one of two can be removed',
  )
})

t.test('requires it in production, except in a demo', async (t) => {
  const env = {
    NODE_ENV: 'production',
    DATABASE_URL: 'postgres://localhost/none',
    REDIS_URL: 'redis://localhost',
    SESSION_SECRET: randomBytes(36).toString('base64'),
    PUBLIC_URL: 'https://lanewire.example',
    SMTP_URL: 'smtp://localhost',
    MAIL_FROM: 'no-reply@quiet-lorries.example',
    MAIL_SUPPORT: 'help@quiet-lorries.example',
    BILLING: 'off',
  }
  t.equal(loadConfig(env).staffSecondFactor, true)
  t.equal(loadConfig({ ...env, DEMO: 'on' }).staffSecondFactor, false)
  t.equal(loadConfig({ ...env, NODE_ENV: 'development' }).staffSecondFactor, false)
})

t.test('lets an admin change the rule with a proof, records it, and signs out staff without a factor', async (t) => {
  t.teardown(() => setRule(null))
  const person = await signUp('admin')
  const staff = (await signUp('ops')).caller
  const change = (caller: Caller, body: Partial<NetworkSettings> & { proof?: object }) =>
    caller.patch<NetworkSettings & ErrorBody>('/api/admin/network', { verifiedOnly: false, ...body })
  const on = { staffSecondFactor: true, proof: { password } }
  t.equal((await change(person.caller, on)).status, 409, 'refused for admins who would lock themselves out')
  const admin = (await withApp(person)).caller
  t.match((await admin.get('/api/admin/network')).body, { staffSecondFactor: false })
  t.equal((await change(admin, { staffSecondFactor: true })).status, 403, 'a session alone does not suffice')
  t.equal((await change(admin, { ...on, proof: { password: 'not my password at all' } })).status, 403)
  t.equal((await change(admin, { staffSecondFactor: false })).status, 200, 'an unchanged rule needs no proof')
  const stored = await db.selectFrom('networkSettings').selectAll().executeTakeFirstOrThrow()
  t.equal(stored.staffSecondFactor, null, "it keeps the server's default")
  t.match((await change(admin, on)).body, { staffSecondFactor: true, verifiedOnly: false })
  await until('staff without a factor to be signed out', async () => (await staff.get('/api/auth/me')).status === 401)
  t.equal((await admin.get('/api/admin/overview')).status, 200)
  t.equal((await change(admin, { staffSecondFactor: false })).status, 403, 'turning it off needs a proof too')
  t.equal((await change(admin, { staffSecondFactor: false, proof: { password } })).status, 200)
  const { entries } = (await admin.get<{ entries: object[] }>('/api/admin/audit?action=network')).body
  t.match(entries[0], {
    action: 'network.edit',
    before: { staffSecondFactor: true },
    after: { staffSecondFactor: false },
  })
})

t.test('refuses to change the rule if the password of the admin changes at the same time', async (t) => {
  t.teardown(() => setRule(null))
  const { caller, id } = await withApp(await signUp('admin'))
  const watcher = await connectAlone(app.services.DATABASE_URL)
  t.teardown(() => watcher.end())
  const passwordHash = await hashPassword('another seven quiet lorries')
  const underWay = await db.transaction().execute(async (tx) => {
    await tx.updateTable('dealers').set({ passwordHash }).where('id', '=', id).execute()
    // This request is in progress and will check the old password.
    const call = caller.patch('/api/admin/network', { staffSecondFactor: true, proof: { password } })
    await Promise.race([call, untilBlocked(watcher, 'select % from "dealers"%')])
    return { call }
  })
  t.equal((await underWay.call).status, 401)
  t.match((await db.selectFrom('networkSettings').selectAll().executeTakeFirstOrThrow()).staffSecondFactor, null)
})

t.test("lets an admin reset a lost second factor and tells the account's owner", async (t) => {
  const guarded = await withApp()
  const admin = (await withApp(await signUp('admin'))).caller
  const ops = (await signUp('ops')).caller
  const at = (id: string) => `/api/admin/users/${id}/second-factor`
  const reason = 'Lost the phone, called from the number on file'
  t.match((await admin.get<DealerFile>(`/api/admin/users/${guarded.id}/file`)).body, { secondFactor: true })
  t.equal((await admin.delete(at(guarded.id), {})).status, 400, 'a reason is required')
  t.equal((await ops.delete(at(guarded.id), { reason })).status, 403)
  t.equal((await guarded.caller.delete(at(guarded.id), { reason })).status, 403)
  t.equal((await admin.delete(at(admin.id), { reason })).status, 409, 'admins cannot reset their own')
  const waiting = await halfWay(guarded.email)
  t.match(await admin.delete(at(guarded.id), { reason }), {
    status: 403,
    body: { error: { code: 'proof_required' } },
  })
  const proof = { password }
  const done = await admin.delete<DealerFile>(at(guarded.id), { reason, proof })
  t.match(done.body, { secondFactor: false, sessions: [] })
  t.equal((await admin.delete(at(guarded.id), { reason, proof })).status, 409)
  await until('every session to end', async () => (await guarded.caller.get('/api/auth/me')).status === 401)
  t.equal((await finish(waiting, codeOf(guarded.secret, 1))).status, 401)
  t.match((await mailTo(app, guarded.email, /was reset/)).text, 'admin')
  const entered = await login(guarded.email)
  t.equal(entered.status, 200)
  const { items } = (await as(cookieOf(entered, 'lanewire')).get<NotificationsPage>('/api/notifications')).body
  t.match(items[0], { title: 'Your second factor was reset', body: reason })
  const { entries } = (await admin.get<{ entries: object[] }>('/api/admin/audit?action=factor')).body
  t.match(entries[0], { action: 'factor.reset', reason, subjectId: guarded.id })
})

t.test('removes the passkeys of an account when an admin changes its email', async (t) => {
  const { id, email, caller: first } = await signUp()
  const { passkey, caller } = await addPasskey(first)
  const admin = await app.signIn('Lanewire', { role: 'admin' })
  const given = `given-${email}`
  t.equal((await admin.patch(`/api/admin/users/${id}`, { email: given })).status, 200)
  await until('its sessions to end', async () => (await caller.get('/api/auth/me')).status === 401)
  const alone = '/api/auth/passkeys/sign-in'
  const options = (await app.visitor.post<PasskeyOptions>(`${alone}/options`, {})).body
  t.equal((await app.visitor.post(alone, { passkey: passkey.sign(options) })).status, 401)
  t.equal((await login(given)).status, 200)
})

t.test('asks an admin for proof before a call that grants power or ends sessions', async (t) => {
  const admin = (await signUp('admin')).caller
  const dealer = await app.signIn('Herrera & Sons')
  const at = `/api/admin/users/${dealer.id}`
  const person = { email: 'new-admin@staff.example', dealershipName: '', dealershipType: 'independent', name: 'Robin' }
  const reason = 'Reported as stolen'
  const colleagues = [(await signUp('admin')).id, (await signUp('ops')).id]
  const acts: [method: 'delete' | 'patch' | 'post', path: string, body: object, done: number][] = [
    ['post', `/api/admin/users/${colleagues[0]}/suspend`, { reason, until: null }, 200],
    ['delete', `/api/admin/users/${colleagues[1]}`, { reason }, 204],
    ['patch', at, { role: 'admin' }, 200],
    ['patch', at, { email: 'somebody-else@dealer.example' }, 200],
    ['post', '/api/admin/users', { ...person, role: 'admin' }, 201],
    ['delete', `${at}/sessions`, { reason }, 200],
  ]
  for (const [method, path, body, done] of acts) {
    const asked = await admin[method](path, body)
    t.match(asked, { status: 403, body: { error: { code: 'proof_required' } } }, `${method} ${path}`)
    const wrong = await admin[method](path, { ...body, proof: { password: 'not my password at all' } })
    t.match(wrong, { status: 403, body: { error: { details: { fields: ['password'] } } } })
    t.equal((await admin[method](path, { ...body, proof: { password } })).status, done)
  }
  t.equal((await admin.patch(at, { city: 'Waco', role: 'admin' })).status, 200, 'unchanged fields need no proof')
  const dealers = { ...person, email: 'new-dealer@staff.example', role: 'dealer' }
  t.equal((await admin.post('/api/admin/users', dealers)).status, 201, 'inviting a dealer needs no proof')
  const { id } = await signUp()
  t.equal(
    (await admin.post(`/api/admin/users/${id}/suspend`, { reason, until: null })).status,
    200,
    'nor suspending one',
  )
  t.equal((await admin.delete(`/api/admin/users/${id}`, { reason })).status, 204, 'nor deleting one')
})

t.test('suspends no staff through a report', async (t) => {
  const [admin, author] = [(await signUp('admin')).caller, await app.signIn('Promoted Motors')]
  const subjectId = await publish(author)
  await db.updateTable('dealers').set({ role: 'ops' }).where('id', '=', author.id).execute()
  const dealer = await app.signIn('Reporting Motors')
  t.equal((await dealer.post('/api/reports', { kind: 'post', subjectId, reason: 'fraud' })).status, 201)
  const suspend = { act: 'suspend', reason: 'Reported as stolen', until: null }
  t.match(await admin.post(`/api/admin/moderation/post/${subjectId}`, suspend), {
    status: 409,
    body: { error: { message: /belongs to staff/ } },
  })
})

t.test('gives no role to an account whose address was never confirmed', async (t) => {
  const [admin, { id }] = [(await signUp('admin')).caller, await signUp()]
  const promote = () => admin.patch(`/api/admin/users/${id}`, { role: 'admin', proof: { password } })
  t.match(await promote(), { status: 409, body: { error: { message: /has not confirmed their email yet/ } } })
  await db.updateTable('dealers').set({ emailVerifiedAt: new Date() }).where('id', '=', id).execute()
  t.match(await promote(), { status: 200, body: { role: 'admin' } })
})
