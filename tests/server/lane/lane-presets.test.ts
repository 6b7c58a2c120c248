import t from 'tap'
import { type Caller, startApp } from '../../support/app.ts'
import { aBidder, publishAuction, readAuction } from '../../support/bidding.ts'

const app = await startApp(t)
t.beforeEach(app.startOver)

const hourMs = 3_600_000
const inMs = (ms: number) => new Date(Date.now() + ms).toISOString()
const later = { startsAt: inMs(hourMs), endsAt: inMs(2 * hourMs) }

const preset = (caller: Caller, postId: string, amount: number) =>
  caller.put(`/api/inventory/${postId}/preset`, { amount })
const presetOf = async (caller: Caller, postId: string) => (await readAuction(caller, postId)).you.preset

t.test('whoever an admin has to let bid again sets no maximum at the start', async (t) => {
  const [seller, stopped] = [await aBidder(app, 'Seller'), await aBidder(app, 'Stopped')]
  const admin = await app.signIn('Lanewire', { role: 'admin' })
  t.teardown(() => admin.patch('/api/admin/network', { stopAfterCancels: true }))
  const postId = await publishAuction(seller, later)
  t.equal((await preset(stopped, postId, 15_000)).status, 204)
  const { db } = app.server.ctx
  await db.updateTable('dealers').set({ biddingStoppedAt: new Date() }).where('id', '=', stopped.id).execute()
  t.match(await preset(stopped, postId, 16_000), {
    status: 403,
    body: { error: { message: /An admin has to let you bid/ } },
  })
  t.equal(await presetOf(stopped, postId), 15_000)
  t.equal((await stopped.delete(`/api/inventory/${postId}/preset`)).status, 204, 'and takes back what is there')
  await admin.patch('/api/admin/network', { stopAfterCancels: false })
  t.equal((await preset(stopped, postId, 16_000)).status, 204, 'where the network is not set so')
})
