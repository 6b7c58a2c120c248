import t from 'tap'
import type { Offer } from '#shared/schemas/deals.ts'
import { startApp, type Caller } from '../../support/app.ts'
import { aBidder, bid, close, publishAuction, readAuction, setMaximum } from '../../support/bidding.ts'
import { says } from '../../support/spelled.ts'

const reserve = 23_457
const maximum = 21_893

const spellings = (amount: number) => [String(amount), String(amount * 100), amount.toLocaleString('en-US')]

async function readAll(caller: Caller, postId: string): Promise<string> {
  const paths = [
    `/api/inventory/${postId}`,
    `/api/inventory/${postId}/auction`,
    '/api/inventory?sort=auction-promo',
    '/api/inventory',
    '/api/offers',
    `/api/deals/${caller.id}`,
    '/api/notifications',
    '/api/auth/me',
  ]
  const answers = await Promise.all(paths.map((path) => caller.get(path)))
  return JSON.stringify(answers.map(({ body, headers }) => [body, [...headers]]))
}

t.test("shows neither the reserve nor another dealer's maximum in responses and events", async (t) => {
  const app = await startApp(t)
  const seller = await app.signIn('Seller')
  const [holder, rival, watcher] = [
    await aBidder(app, 'Holder'),
    await aBidder(app, 'Rival'),
    await aBidder(app, 'Watcher'),
  ]
  const postId = await publishAuction(seller, { reserveAmount: reserve })
  const tabs = [await seller.live(), await rival.live(), await watcher.live()]
  for (const tab of tabs) await tab.view({ kind: 'post', id: postId, on: true })
  const said: string[] = []
  const hear = async (who: Caller) => said.push(await readAll(who, postId))

  await setMaximum(holder, postId, maximum)
  for (const amount of [9_000, 10_500, 10_600, 15_000, 15_250])
    said.push(JSON.stringify((await bid(rival, postId, amount)).body))
  said.push(JSON.stringify((await setMaximum(rival, postId, 18_000)).body))
  for (const who of [rival, watcher]) await hear(who)
  t.equal((await readAuction(rival, postId)).reserve, 'not_met')
  const ofSeller = await readAll(seller, postId)
  await close(app, rival, postId)
  const [offer] = (await holder.get<Offer[]>('/api/offers')).body
  t.equal(offer?.status, 'open', 'the highest bid waits for the seller')
  for (const who of [rival, watcher]) await hear(who)
  const ofHolder = await readAll(holder, postId)
  said.push(JSON.stringify(await Promise.all(tabs.map((tab) => tab.receivedAfterRoundTrip('auction.state')))))
  const [, rivalTab, watcherTab] = tabs
  said.push(JSON.stringify([rivalTab?.heard, watcherTab?.heard]))

  const all = said.join('\n')
  t.ok(all.includes('"not_met"') && says(all, '18500'), 'events and responses were recorded')
  for (const spelling of [...spellings(reserve), ...spellings(maximum)]) t.notOk(says(all, spelling), spelling)
  for (const spelling of spellings(maximum)) t.notOk(says(ofSeller, spelling), 'hidden from the seller too')
  for (const spelling of spellings(reserve)) t.notOk(says(ofHolder, spelling), 'hidden from the leader too')
  t.ok(says(ofSeller, String(reserve)), 'the seller sees the reserve')
  t.notOk(/Holder|Rival/.test(await readAll(watcher, postId)), 'bidders are pseudonyms to others')
})
