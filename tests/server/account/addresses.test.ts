import t from 'tap'
import type { ErrorBody } from '#shared/errors.ts'
import type { AdminUser } from '#shared/schemas/admin.ts'
import { startApp } from '#tests/support/app.ts'
import { aProfile } from '#tests/support/newcomer.ts'

const app = await startApp(t)
const password = 'seven quiet lorries at dawn'
const dealer = await app.signIn('Ann Autos')
const admin = await app.signIn('Lanewire', { role: 'admin' })

const aUser = { name: 'New Dealer', dealershipName: 'New Motors', dealershipType: 'independent', role: 'dealer' }

/** Every endpoint that accepts an email address, called with valid values for the other fields. */
const calls: Record<string, (email: string) => Promise<{ status: number; body: unknown }>> = {
  'sign-up': (email) => app.visitor.post('/api/auth/signup', { email, password }),
  'sign-in': (email) => app.visitor.post('/api/auth/login', { email, password }),
  'a forgotten password': (email) => app.visitor.post('/api/auth/password/forgot', { email }),
  'an email change': (email) => dealer.post('/api/profile/email', { email }),
  'an email corrected in onboarding': (email) => dealer.post('/api/onboarding/email', { email }),
  'account deletion': (email) => dealer.delete('/api/account', { email }),
  'the contact form': (email) => app.visitor.post('/api/contact', { name: 'Ann', email, message: 'Hello' }),
  'the newsletter': (email) => app.visitor.post('/api/newsletter', { email }),
  'status emails': (email) => app.visitor.post('/api/status/subscriptions', { email }),
  'an invitation': (email) => admin.post('/api/admin/users', { ...aUser, email }),
  'an edit by an admin': (email) => admin.patch(`/api/admin/users/${dealer.id}`, { email }),
}

const notOneAddress = [
  '',
  'nobody',
  'ann@dealer',
  'ann@dealer.example,ben@dealer.example',
  'ann@dealer.example;ben@dealer.example',
  'ann@dealer.example ben@dealer.example',
  'ann@ben@dealer.example',
  'Ann <ann@dealer.example>',
  '<ann@dealer.example>',
  '"ann,ben"@dealer.example',
  'ann@dealer.example\r\nBcc: ben@dealer.example',
  'ann@dealer.example\u0000',
  'an n@dealer.example',
  'ann@dealer..example',
  '.ann@dealer.example',
  'ann@-dealer.example',
  'ann(home)@dealer.example',
  'group:ann@dealer.example;',
  // Addresses with lookalike letters, with letters that become ASCII when their case changes, and with parts that are too long.
  '\uFF41nn@dealer.example',
  '\u212Aim@dealer.example',
  'ann@d\u0435aler.example',
  `${'a'.repeat(65)}@dealer.example`,
  `ann@${'a'.repeat(64)}.example`,
  `ann@${'dealer.'.repeat(40)}example`,
]

t.test('accepts exactly one bare email address in every call with an email', async (t) => {
  for (const [name, send] of Object.entries(calls))
    for (const email of notOneAddress) {
      const { status, body } = await send(email)
      t.equal(status, 400, `${name}: ${JSON.stringify(email)}`)
      t.match((body as ErrorBody).error.message, /^Email /)
    }
})

t.test('accepts usual email addresses, also with blanks around them', async (t) => {
  const made: string[] = []
  for (const email of ["sean.o'brien+lots@sub.dealer-group.example", '  padded@dealer.example ', '1@2.example']) {
    t.equal((await app.visitor.post('/api/auth/signup', { email, password })).status, 201, email)
    t.equal((await app.visitor.post('/api/auth/login', { email: email.toUpperCase(), password })).status, 200, email)
    made.push(email.trim())
  }
  const { body } = await admin.get<{ users: AdminUser[] }>('/api/admin/users')
  t.same(body.users.map(({ email }) => email).filter((email) => made.includes(email)).length, made.length)
  const again = await app.visitor.post('/api/auth/signup', { email: 'PADDED@Dealer.example', password })
  t.equal(again.status, 409, 'upper and lower case are the same address')
})

t.test('refuses a list of addresses in the database itself', async (t) => {
  const { db } = app.server.ctx
  const two = 'ann@dealer.example,ben@dealer.example'
  const stores = [
    db.insertInto('dealers').values({ email: two }),
    db.insertInto('listSubscribers').values({ list: 'newsletter', email: two }),
    db.insertInto('emailChanges').values({ dealerId: dealer.id, email: two, expiresAt: new Date() }),
  ]
  for (const store of stores) await t.rejects(store.execute(), /one_address/)
})

t.test("does not show a dealer's sign-in email on the profile", async (t) => {
  const signedUp = await app.visitor.post('/api/auth/signup', { email: 'first@profile.example', password })
  const cookie = signedUp.headers.get('set-cookie')?.split(';')[0] ?? ''
  const owner = app.on(app, { ...app.visitor, cookie })
  const victim = 'victim@profile.example'
  await app.visitor.post('/api/auth/signup', { email: victim, password })
  const mine = async () => (await owner.get<{ email: string }>('/api/auth/me')).body.email
  // The form requires an email address, but saving the form does not change the address that is used to sign in.
  for (const email of ['moved@profile.example', victim, 'a@x.example,b@x.example', 'first@profile.example']) {
    const saved = await owner.post('/api/auth/complete-profile', { ...aProfile, email })
    t.match(saved, { status: 200, body: { user: { email: 'first@profile.example', name: 'Dana Torres' } } }, email)
    t.equal(await mine(), 'first@profile.example')
  }
  await owner.patch('/api/onboarding', { profile: { email: victim, city: 'Tulsa' } })
  t.match((await owner.get('/api/onboarding')).body, { profile: { email: 'first@profile.example', city: 'Tulsa' } })
  await owner.patch('/api/profile', { email: victim, name: 'Dana T.' })
  t.equal(await mine(), 'first@profile.example')
  t.equal((await app.visitor.post('/api/auth/login', { email: 'moved@profile.example', password })).status, 401)
})
