import t from 'tap'
import type { NetworkSettings } from '#shared/schemas/admin.ts'
import type { PostDetail } from '#shared/schemas/posts.ts'
import { type Caller, startApp } from '#tests/support/app.ts'
import { bid, publishAuction } from '#tests/support/bidding.ts'
import { aPost, publish } from '#tests/support/factories.ts'
import { mailTo } from '#tests/support/mail.ts'

const app = await startApp(t)
const { signIn } = app
const { db } = app.server.ctx
const admin = await signIn('Lanewire', { role: 'admin' })

const setRule = (confirmedOnly: boolean) => admin.patch<NetworkSettings>('/api/admin/network', { confirmedOnly })
const confirm = ({ id }: Caller) =>
  db.updateTable('dealers').set({ emailVerifiedAt: new Date() }).where('id', '=', id).execute()
const emailOf = async ({ id }: Caller) =>
  (await db.selectFrom('dealers').select('email').where('id', '=', id).executeTakeFirstOrThrow()).email

t.test('requires a confirmed address to post, bid and offer if the network says so', async (t) => {
  const [seller, dealer] = [await signIn('Confirmed Motors'), await signIn('Unconfirmed Motors')]
  await confirm(seller)
  t.match((await admin.get('/api/admin/network')).body, { confirmedOnly: false }, 'off outside production')
  t.equal((await dealer.patch('/api/admin/network', { confirmedOnly: true })).status, 403)
  const own = await publish(dealer)
  await dealer.patch(`/api/inventory/${own}`, { status: 'expired' })
  const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
  const later = { startsAt: inHours(1), endsAt: inHours(2) }
  const [postId, lot, nextLot] = [
    await publish(seller),
    await publishAuction(seller),
    await publishAuction(seller, later),
  ]
  t.match((await setRule(true)).body, { confirmedOnly: true })
  t.teardown(() => setRule(false))

  const refused = {
    status: 403,
    body: { error: { code: 'email_unconfirmed', message: /^Confirm your email address .* have it sent again$/ } },
  }
  const vehicleId = (await dealer.get<PostDetail>(`/api/inventory/${postId}`)).body.vehicles[0]?.id
  const offer = () => dealer.post(`/api/inventory/${postId}/offers`, { vehicleId, amount: 30_000 })
  t.match(await dealer.post('/api/inventory', aPost()), refused)
  t.match(await dealer.post(`/api/inventory/${own}/relist`), refused)
  t.match(await dealer.patch(`/api/inventory/${own}`, { status: 'active' }), refused)
  t.match(await offer(), refused)
  t.match(await bid(dealer, lot, 10_500), refused)
  t.match(await dealer.put(`/api/inventory/${nextLot}/preset`, { amount: 15_000 }), refused)
  t.equal((await dealer.get('/api/inventory')).status, 200, 'reading stays open')
  t.equal((await dealer.post(`/api/inventory/${postId}/comments`, { content: 'Still there?' })).status, 201)

  t.equal((await dealer.post('/api/auth/email/resend')).status, 204)
  const { text } = await mailTo(app, await emailOf(dealer), /Confirm your email/)
  const token = /token=([\w-]+)/.exec(text)?.[1]
  t.equal((await dealer.post('/api/auth/email/verify', { token })).status, 204)
  t.equal((await dealer.post('/api/inventory', aPost())).status, 201)
  t.equal((await offer()).status, 201)
  t.equal((await bid(dealer, lot, 10_500)).status, 201)
})
