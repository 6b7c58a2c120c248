import t from 'tap'
import type { AuditPage } from '#shared/schemas/audit.ts'
import type { CurrentUser } from '#shared/schemas/dealers.ts'
import { loadConfig } from '#server/config/config.ts'
import { makeAdmin } from '#server/features/auth/make-admin.service.ts'
import { setupText } from '#server/features/auth/setup.service.ts'
import { type Answer, type Caller, startApp } from '#tests/support/app.ts'
import { aPendingDealOn } from '#tests/support/deals.ts'
import { publish } from '#tests/support/factories.ts'
import { aProfile } from '#tests/support/newcomer.ts'
import { until } from '#tests/support/wait.ts'

const app = await startApp(t)
const { ctx } = app.server
t.beforeEach(app.startOver)

const password = 'seven quiet lorries at dawn'
const config = loadConfig({ ...app.services, DEMO: 'off', PUBLIC_URL: 'https://lane.example' })
const run = (email: string) => makeAdmin(config, ctx.log, email)

const enter = (answer: Answer): Caller =>
  app.on(app, { ...app.visitor, cookie: answer.headers.get('set-cookie')?.split(';')[0] ?? '' })
const tokenIn = (text: string | undefined) => /token=([\w-]+)/.exec(text ?? '')?.[1] ?? ''
const signUp = async (email: string) => enter(await app.visitor.post('/api/auth/signup', { email, password }))
const me = async (caller: Caller) => (await caller.get<CurrentUser>('/api/auth/me')).body
const lastAct = async (admin: Caller) => (await admin.get<AuditPage>('/api/admin/audit')).body.entries[0]

t.test(
  'creates or promotes an admin by a command, which removes any obstacles and records it in the audit log',
  async (t) => {
    await t.rejects(run('nobody'), { message: '"nobody" is not an email address' })

    const words = await run('boss@lane.example')
    t.match(words, 'boss@lane.example is now an admin. The account was created.')
    t.match(words, /https:\/\/lane\.example\/reset#token=/)
    t.equal(await setupText(ctx), undefined)
    t.equal((await app.visitor.post('/api/auth/password/reset', { token: tokenIn(words), password })).status, 200)
    t.equal(
      (await app.visitor.post('/api/auth/password/reset', { token: tokenIn(words), password })).status,
      400,
      'valid once',
    )
    const boss = enter(await app.visitor.post('/api/auth/login', { email: 'boss@lane.example', password }))
    t.match(await lastAct(boss), {
      action: 'user.makeAdmin',
      actorName: 'Command line',
      subjectName: 'boss@lane.example',
    })

    await boss.patch('/api/admin/network', { joining: 'approval' })
    const email = 'new@dealer.example'
    const dealer = await signUp(email)
    await dealer.post('/api/auth/complete-profile', { ...aProfile, email })
    const { id } = await me(dealer)
    await ctx.db.updateTable('dealers').set({ emailVerifiedAt: new Date() }).where('id', '=', id).execute()
    await boss.post(`/api/admin/users/${id}/suspend`, { reason: 'Looks odd', until: null })
    t.match(await run(email), 'is now an admin and can sign in as before. It was suspended and is now reinstated.')
    t.match(await lastAct(boss), { before: { role: 'dealer', suspended: true }, after: { role: 'admin' } })
    const promoted = enter(await app.visitor.post('/api/auth/login', { email, password }))
    t.match(await me(promoted), { role: 'admin', admission: 'admitted' })
    t.match(await run(email), 'new@dealer.example is already an admin.')
    t.equal((await promoted.get('/api/auth/me')).status, 200, 'an unchanged role ends no session')
  },
)

t.test("updates a deal in the other party's tab when the command lifts a suspension", async (t) => {
  const [seller, buyer] = [await app.signIn('Seller Motors'), await app.signIn('Buyer Cars')]
  const dealId = await aPendingDealOn(await publish(seller), seller, buyer)
  const suspend = ctx.db.updateTable('dealers').set({ suspendedAt: new Date() }).where('id', '=', buyer.id)
  const { email } = await suspend.returning('email').executeTakeFirstOrThrow()
  const tab = await seller.live()
  await run(email)
  t.ok(await tab.nextEvent('inbox.changed', ({ what, id }) => what === 'deal' && id === dealId))
})

t.test('leaves a stranger no way into an account with an unconfirmed address that becomes an admin', async (t) => {
  const email = 'owner@lane.example'
  const stranger = await signUp(email)
  const { id } = await me(stranger)
  await ctx.db.insertInto('identities').values({ provider: 'google', subject: id, dealerId: id }).execute()

  const words = await run(email)
  t.match(words, /its password and all other ways to sign in were removed\.\nChoose its password here/)
  t.equal((await app.visitor.post('/api/auth/login', { email, password })).status, 401)
  t.same(await ctx.db.selectFrom('identities').selectAll().execute(), [])
  await until('the old session to end', async () => (await stranger.get('/api/auth/me')).status === 401)
  const next = { token: tokenIn(words), password: 'another seven quiet lorries' }
  t.equal((await app.visitor.post('/api/auth/password/reset', next)).status, 200)
  const owner = enter(await app.visitor.post('/api/auth/login', { email, password: next.password }))
  t.match(await me(owner), { id, role: 'admin' })
})
