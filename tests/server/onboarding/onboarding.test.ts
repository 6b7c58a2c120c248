import t from 'tap'
import type { ErrorBody } from '#shared/errors.ts'
import { profileFieldMax, requiredProfileFields } from '#shared/constants/onboarding.ts'
import type { OnboardingProgress } from '#shared/schemas/onboarding.ts'
import { startBillingApp, subscribe } from '#tests/support/billing.ts'
import { aProfile } from '#tests/support/newcomer.ts'

const app = await startBillingApp(t)
const { signIn, visitor } = app

let people = 0
async function newcomer() {
  people += 1
  const email = `newcomer${people}@onboarding.example`
  const answer = await visitor.post('/api/auth/signup', { email, password: 'seven quiet lorries at dawn' })
  const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? ''
  return { email, caller: app.on(app, { ...visitor, cookie }) }
}

t.test('completes onboarding with profile and subscription', async (t) => {
  const { caller, email } = await newcomer()
  const progress = async () => (await caller.get<OnboardingProgress>('/api/onboarding')).body
  t.match(await progress(), { step: 'profile', profile: { email }, planId: null })
  const saved = await caller.post('/api/auth/complete-profile', { ...aProfile, email })
  t.match(saved.body, {
    user: {
      name: 'Dana Torres',
      dealershipName: 'Torres Auto Group',
      city: 'Dallas',
      state: 'TX',
      profileComplete: true,
    },
  })
  t.equal((await progress()).step, 'plan')
  await subscribe(caller)
  t.equal((await progress()).step, 'done')
})

t.test("names the first blank field in the form's order", async (t) => {
  const { caller } = await newcomer()
  for (const [field, words] of requiredProfileFields.filter(
    ([name]) => name !== 'country' && name !== 'dealershipType',
  )) {
    const answer = await caller.post<ErrorBody>('/api/auth/complete-profile', { ...aProfile, [field]: '  ' })
    t.equal(answer.status, 400)
    t.equal(answer.body.error.message, `Please fill in ${words}`)
  }
  const two = await caller.post<ErrorBody>('/api/auth/complete-profile', { ...aProfile, city: '', lastName: '' })
  t.equal(two.body.error.message, 'Please fill in last name')
  t.equal((await caller.post('/api/auth/complete-profile', { ...aProfile, country: 'MX' })).status, 400)
})

t.test('accepts a Canadian dealer', async (t) => {
  const { caller, email } = await newcomer()
  const canadian = { ...aProfile, email, country: 'CA', state: 'ON', zipCode: 'M5V 2T6', city: 'Toronto' }
  t.match((await caller.post('/api/auth/complete-profile', canadian)).body, {
    user: { state: 'ON', buysCanadianVehicles: true },
  })
})

t.test('restores typed input after a reload and in another browser', async (t) => {
  const { caller } = await newcomer()
  t.equal((await caller.patch('/api/onboarding', { profile: { firstName: 'Da', phone: '1' } })).status, 204)
  t.equal((await caller.patch('/api/onboarding', { profile: { firstName: 'Dana' }, planId: 'premium' })).status, 204)
  const { body } = await caller.get<OnboardingProgress>('/api/onboarding')
  t.match(body, { step: 'profile', profile: { firstName: 'Dana', phone: '1' }, planId: 'premium' })
  t.equal((await caller.patch('/api/onboarding', { planId: 'gold' })).status, 404)
  t.equal((await visitor.patch('/api/onboarding', { planId: 'basic' })).status, 401)
})

t.test('refuses a too long field by name so that the others can be saved', async (t) => {
  const { caller } = await newcomer()
  const profile = { lastName: 'x'.repeat(profileFieldMax.lastName + 1), city: 'Dallas' }
  t.match(await caller.patch('/api/onboarding', { profile }), {
    status: 400,
    body: { error: { details: { fields: ['Last name'] } } },
  })
})

t.test('saves the profile again, updates other tabs, and changes only the profile', async (t) => {
  const { caller, email } = await newcomer()
  await caller.post('/api/auth/complete-profile', { ...aProfile, email })
  const tab = await caller.live()
  const again = { ...aProfile, city: 'Austin', lastName: 'T'.repeat(59), firstName: 'D'.repeat(60) }
  const heard = tab.nextEvent('inbox.changed', ({ what }) => what === 'profile')
  t.match(await caller.post('/api/auth/complete-profile', again), {
    status: 200,
    body: { user: { email, city: 'Austin' } },
  })
  await heard
  await caller.patch('/api/onboarding', { profile: { role: 'admin', note: 'x'.repeat(10_000) } })
  t.notMatch(Object.keys((await caller.get<OnboardingProgress>('/api/onboarding')).body.profile), /role|note/)
  t.match((await caller.get('/api/auth/me')).body, { role: 'dealer', email })
})

t.test('ignores permissions sent with the form', async (t) => {
  const { caller, email } = await newcomer()
  const claims = {
    role: 'admin',
    email: 'somebody@else.example',
    rating: 5,
    dealsCompleted: 900,
    connectionCount: 900,
    licenseVerifiedAt: '2026-01-01T00:00:00.000Z',
    emailVerifiedAt: '2026-01-01T00:00:00.000Z',
    passwordHash: 'x',
    suspendedUntil: null,
    demo: true,
    deletedAt: null,
  }
  const rowOf = async () => {
    const row = await app.server.ctx.db.selectFrom('dealers').selectAll().where('email', '=', email).executeTakeFirst()
    return Object.fromEntries(Object.keys(claims).map((name) => [name, Reflect.get(row ?? {}, name)]))
  }
  const before = await rowOf()
  t.equal((await caller.post('/api/auth/complete-profile', { ...aProfile, ...claims })).status, 200)
  t.same(await rowOf(), before)
  t.equal((await caller.patch('/api/profile', { city: 'Austin', ...claims })).status, 200)
  t.equal((await caller.patch('/api/settings', { pushNotifications: true, ...claims })).status, 200)
  t.equal((await caller.patch('/api/onboarding', { profile: { city: 'Austin', ...claims }, ...claims })).status, 204)
  t.same(await rowOf(), before)
  const signup = { ...claims, email: 'chief@onboarding.example', password: 'seven quiet lorries at dawn' }
  const answer = await visitor.post('/api/auth/signup', signup)
  t.match(answer.body, { user: { role: 'dealer' } })
})

t.test('requires a signed-in dealer to complete a profile', async (t) => {
  t.equal((await visitor.post('/api/auth/complete-profile', aProfile)).status, 401)
  const dealer = await signIn()
  t.match((await dealer.get('/api/onboarding')).body, { step: 'plan' })
})

t.test("fills the form with the account's license, which saving would remove", async (t) => {
  const { caller, email } = await newcomer()
  const progress = async () => (await caller.get<OnboardingProgress>('/api/onboarding')).body.profile.license
  const license = { number: 'TX-1', state: 'TX', expiresOn: '2044-12-31', scan: null }
  await caller.post('/api/auth/complete-profile', { ...aProfile, email })
  t.notOk(await progress())
  t.equal((await caller.patch('/api/profile', { license })).status, 200)
  t.same(await progress(), license)
  const none = { number: '', state: '', expiresOn: '', scan: null }
  await caller.post('/api/auth/complete-profile', { ...aProfile, email, license: none })
  t.notOk((await progress())?.number)
})
