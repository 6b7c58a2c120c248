import t from 'tap'
import type { ErrorBody } from '#shared/errors.ts'
import type { OnboardingProgress } from '#shared/schemas/onboarding.ts'
import { startApp } from '#tests/support/app.ts'
import { startBillingApp, subscribe } from '#tests/support/billing.ts'
import { addCalls } from '#tests/support/limits.ts'
import { mailTo } from '#tests/support/mail.ts'
import { aProfile } from '#tests/support/newcomer.ts'
import { until } from '#tests/support/wait.ts'

const app = await startBillingApp(t)
const { db } = app.server.ctx
t.beforeEach(app.startOver)

const password = 'seven quiet lorries at dawn'

async function newcomer(email: string) {
  const answer = await app.visitor.post<{ user: { id: string } }>('/api/auth/signup', { email, password })
  const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? ''
  const caller = app.on(app, { ...app.visitor, cookie })
  const correct = (to: string) => caller.post<ErrorBody>('/api/onboarding/email', { email: to })
  const mayCorrect = async () => (await caller.get<OnboardingProgress>('/api/onboarding')).body.emailCorrectable
  const address = async () => (await caller.get<{ email: string }>('/api/auth/me')).body.email
  return { id: answer.body.user.id, caller, correct, mayCorrect, address }
}

const verifyLink = async (email: string) => /#token=(\S+)/.exec((await mailTo(app, email, /^Confirm/)).text)?.[1] ?? ''
const verify = async (token: string) => (await app.visitor.post('/api/auth/email/verify', { token })).status
const signInStatus = async (email: string) => (await app.visitor.post('/api/auth/login', { email, password })).status

t.test('replaces an unconfirmed address, voids the links mailed to it, and mails a new link', async (t) => {
  const { correct, mayCorrect, address } = await newcomer('slpi@newcomer.example')
  const old = await verifyLink('slpi@newcomer.example')
  await app.visitor.post('/api/auth/password/forgot', { email: 'slpi@newcomer.example' })
  const reset = /#token=(\S+)/.exec((await mailTo(app, 'slpi@newcomer.example', /password/)).text)?.[1]
  t.equal(await mayCorrect(), true)
  t.equal((await correct('slip@newcomer.example')).status, 204)
  t.equal(await address(), 'slip@newcomer.example', 'the session stays')
  t.equal(await verify(old), 400)
  t.equal(
    (await app.visitor.post('/api/auth/password/reset', { token: reset, password: `${password} again` })).status,
    400,
  )
  t.equal(await signInStatus('slpi@newcomer.example'), 401)
  t.equal(await signInStatus('slip@newcomer.example'), 200)
  t.equal(await verify(await verifyLink('slip@newcomer.example')), 204)
  t.equal(await mayCorrect(), false)
  t.match(await correct('other@newcomer.example'), { status: 409 }, 'a confirmed address changes by its link')
  t.equal(await address(), 'slip@newcomer.example')
})

t.test("updates the dealer's open tabs when the address is confirmed", async (t) => {
  const { caller } = await newcomer('tabs@newcomer.example')
  const tab = await caller.live()
  t.equal(await verify(await verifyLink('tabs@newcomer.example')), 204)
  await tab.nextEvent('inbox.changed', ({ what }) => what === 'profile')
})

t.test('keeps an old link void after the address is changed back', async (t) => {
  const { correct } = await newcomer('first@newcomer.example')
  const old = await verifyLink('first@newcomer.example')
  t.equal((await correct('second@newcomer.example')).status, 204)
  await verifyLink('second@newcomer.example')
  t.equal((await correct('first@newcomer.example')).status, 204)
  t.equal(await verify(old), 400)
})

t.test('refuses an address that is taken, invalid or unchanged, and callers without a session', async (t) => {
  const { correct, caller, address } = await newcomer('ann@newcomer.example')
  await newcomer('ben@newcomer.example')
  t.match(await correct('BEN@newcomer.example'), {
    status: 409,
    body: { error: { message: 'Another account uses this email', details: { fields: ['email'] } } },
  })
  t.equal((await correct('ANN@newcomer.example')).status, 400)
  t.equal((await correct('ann@newcomer.example, ben@newcomer.example')).status, 400)
  t.equal(await address(), 'ann@newcomer.example')
  t.equal((await app.visitor.post('/api/onboarding/email', { email: 'c@newcomer.example' })).status, 401)
  await caller.post('/api/auth/logout')
  t.equal((await correct('c@newcomer.example')).status, 401)
})

t.test(
  'asks for the usual way after onboarding, with a second factor, and for an account without a password',
  async (t) => {
    const through = await newcomer('through@newcomer.example')
    await through.caller.post('/api/auth/complete-profile', { ...aProfile, email: 'through@newcomer.example' })
    t.equal(await through.mayCorrect(), true, 'until a plan is chosen')
    await subscribe(through.caller)
    const guarded = await newcomer('guarded@newcomer.example')
    await db.updateTable('dealers').set({ secondFactorAt: new Date() }).where('id', '=', guarded.id).execute()
    const byGoogle = await newcomer('google@newcomer.example')
    await db.updateTable('dealers').set({ passwordHash: null }).where('id', '=', byGoogle.id).execute()
    for (const [index, one] of [through, guarded, byGoogle].entries()) {
      t.equal(await one.mayCorrect(), false)
      t.equal((await one.correct(`another${index}@newcomer.example`)).status, 409)
    }
    await db.updateTable('subscriptions').set({ status: 'canceled' }).where('dealerId', '=', through.id).execute()
    t.equal(await through.mayCorrect(), false, 'nor once the plan has ended')
    t.equal((await through.correct('lapsed@newcomer.example')).status, 409)
  },
)

t.test('limits how often an account changes its address', async (t) => {
  const limited = await startApp(t, { RATE_LIMITS: 'on' }, app.services)
  const { caller } = await newcomer('often0@newcomer.example')
  const correct = async (email: string) =>
    (await app.on(limited, caller).post('/api/onboarding/email', { email })).status
  t.equal(await correct('often1@newcomer.example'), 204)
  await addCalls(limited, 'email-change:', 4)
  t.equal(await correct('often2@newcomer.example'), 429)
})

t.test('gives an address to one of two accounts that ask for it at once', async (t) => {
  const [ann, ben] = [await newcomer('a@newcomer.example'), await newcomer('b@newcomer.example')]
  const answers = await Promise.all([ann, ben].map(({ correct }) => correct('one@newcomer.example')))
  t.same(answers.map(({ status }) => status).toSorted(), [204, 409])
  await until('one account to have it', async () => (await signInStatus('one@newcomer.example')) === 200)
})
