import t from 'tap'
import type { Auction } from '#shared/schemas/auctions.ts'
import type { SyncHeads } from '#shared/events/control.ts'
import { startApp } from '#tests/support/app.ts'
import { publishAuction, readAuction } from '#tests/support/bidding.ts'
import { startNode } from '#tests/support/node-process.ts'

// Auction times come from the database clock, so a process with a wrong clock must not behave differently.

const aheadMs = 1_800_000
const toleratedMs = 60_000
/** Code that a process runs first, to move its clock half an hour ahead. */
const clockAhead = `const Real = Date; globalThis.Date = class extends Real {
  constructor(...given) { if (given.length === 0) super(Real.now() + ${aheadMs}); else super(...given) }
  static now() { return Real.now() + ${aheadMs} }
}`

t.test('opens auctions on time and shows the right time if the process clock is wrong', async (t) => {
  const app = await startApp(t)
  const ahead = await startNode(t, app.services, {}, clockAhead)
  const seller = app.on(ahead, await app.signIn('Seller'))
  const isNow = (time: string | undefined, what: string) =>
    t.ok(Math.abs(Date.parse(time ?? '') - Date.now()) < toleratedMs, `${what}: ${time}`)

  const postId = await publishAuction(seller)
  const opened = await readAuction(seller, postId)
  isNow(opened.startsAt, 'the start')
  isNow(opened.serverNow, 'the time beside it')
  const changed = await seller.patch<Auction>(`/api/inventory/${postId}/auction`, { startAmount: 8_000 })
  isNow(changed.body.startsAt, 'the start by new terms')
  for (const title of ['2021 Ford F-150 XLT', 'Live auction: 2021 Ford F-150 XLT'])
    t.equal((await seller.patch(`/api/inventory/${postId}`, { title, endAuction: true })).status, 200)
  isNow((await readAuction(seller, postId)).startsAt, 'the start by the post’s words')

  isNow((await seller.get<SyncHeads>('/api/heads')).body.serverTime, 'what a poll says')
  const tab = await seller.live()
  const hello = tab.heard.find(({ name }) => name === 'hello')?.event as { serverTime: string } | undefined
  isNow(hello?.serverTime, 'what a socket says')
})
