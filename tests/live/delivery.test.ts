import type { ServerResponse } from 'node:http'
import t from 'tap'
import type { InboxKind } from '#shared/events/notifications.ts'
import type { FindAnswer } from '#shared/schemas/find.ts'
import type { Offer } from '#shared/schemas/deals.ts'
import type { PostDetail } from '#shared/schemas/posts.ts'
import type { Comment } from '#shared/schemas/comments.ts'
import { startApp } from '#tests/support/app.ts'
import { aVehicle, publish } from '#tests/support/factories.ts'
import { startWebsite } from '#tests/support/sheets.ts'
import { openTabCache } from '#tests/support/tab-cache.ts'
import { until } from '#tests/support/wait.ts'

const asking: ServerResponse[] = []
const host = await startWebsite(t, (_request, response) => asking.push(response))
const app = await startApp(t, { FETCH_PRIVATE_HOSTS: host })
const second = await startApp(t, { FETCH_PRIVATE_HOSTS: host }, app.services)

t.test('sends a comment to viewers of the post on another node, and to nobody else', async (t) => {
  const [seller, reader, elsewhere] = [
    await app.signIn('Webb Bros'),
    await app.signIn('Boyle Motor'),
    await app.signIn('Parkway'),
  ]
  const id = await publish(seller)
  const watching = await app.on(second, reader).live()
  const away = await app.on(second, elsewhere).live()
  t.same(await watching.view({ kind: 'post', id, on: true }), { ok: true, data: null })

  const { status, body } = await seller.post<Comment>(`/api/inventory/${id}/comments`, {
    content: '  Is the title in hand?  ',
  })
  t.equal(status, 201)
  t.equal(body.content, 'Is the title in hand?')
  const changed = await watching.nextEvent('post.changed', (event) => event.commentCount === 1)
  t.match(changed, { postId: id, status: 'active', partial: true })
  const { version } = changed
  t.same(await watching.nextEvent('post.comment'), { postId: id, comment: body, commentCount: 1, version })
  t.same(await away.receivedAfterRoundTrip('post.comment'), [])

  await watching.view({ kind: 'post', id, on: false })
  await seller.post(`/api/inventory/${id}/comments`, { content: 'Second' })
  t.equal((await watching.receivedAfterRoundTrip('post.comment')).length, 1)
})

t.test('hints at a new post to dealers with the feed on screen', async (t) => {
  const [seller, reader] = [await app.signIn('Webb Bros'), await app.signIn('Boyle Motor')]
  const live = await reader.live()
  await live.view({ kind: 'feed', id: '', on: true })
  const id = await publish(seller)
  t.match(await live.nextEvent('feed.head'), { newestId: id, newPosts: 1, jitterMs: Number })
})

t.test('hints at vehicles that return to sale in an older post', async (t) => {
  const [seller, reader] = [await app.signIn('Webb Bros'), await app.signIn('Boyle Motor')]
  const live = await reader.live()
  await live.view({ kind: 'feed', id: '', on: true })
  const id = await publish(seller)
  await live.nextEvent('feed.head', ({ newestId }) => newestId === id)
  const vehicles = [aVehicle, { ...aVehicle, vin: '1FTFW1E51MFA00000' }]
  t.equal((await seller.patch(`/api/inventory/${id}`, { vehicles })).status, 200)
  t.match(await live.nextEvent('feed.head'), { newestId: null, newPosts: 0, jitterMs: Number })
})

t.test('hints at vehicles of a spreadsheet after each import', async (t) => {
  const [seller, reader] = [await app.signIn('Webb Bros'), await app.signIn('Boyle Motor')]
  const live = await reader.live()
  await live.view({ kind: 'feed', id: '', on: true })
  const rows = ['VIN,Year,Make,Model', 'YS3ED48EX13046221,2001,Saab,9-5', 'YS3ED48E113046222,2001,Saab,9-5']
  const hintedWith = async (vehicles: number) => {
    const link = await until('a request for the spreadsheet', () => asking.pop())
    link.end(rows.slice(0, vehicles + 1).join('\n'))
    t.match(await live.nextEvent('feed.head'), { newestId: null, newPosts: 0, jitterMs: Number })
    await app.server.find.follow()
    t.equal((await reader.get<FindAnswer>('/api/find?mmt=Saab')).body.total, vehicles)
  }
  const spreadsheetUrl = `http://${host}/list.csv`
  const id = await publish(seller, { type: 'spreadsheet', vehicles: [], spreadsheetUrl })
  await live.nextEvent('feed.head', ({ newestId }) => newestId === id)
  await hintedWith(1)
  t.equal((await seller.post(`/api/inventory/${id}/sheet`)).status, 200)
  await hintedWith(2)
})

t.test('counts likes and questions once on every node', async (t) => {
  const [seller, reader] = [await app.signIn('Webb Bros'), await app.signIn('Boyle Motor')]
  const id = await publish(seller)
  const live = await seller.live()
  await live.view({ kind: 'post', id, on: true })
  for (const method of ['put', 'put', 'delete', 'put'] as const)
    t.equal((await reader[method](`/api/inventory/${id}/reactions/like`)).status, 204)
  t.equal((await reader.put(`/api/inventory/${id}/reactions/info`)).status, 204)
  await live.nextEvent('post.changed', (event) => event.infoCount === 1 && event.likeCount === 1)
  t.match((await seller.get<PostDetail>(`/api/inventory/${id}`)).body, { likeCount: 1, infoCount: 1 })
  t.same((await reader.get('/api/inventory/reactions')).body, { like: [id], info: [id] })
  t.equal((await reader.put(`/api/inventory/${id}/reactions/love`)).status, 400)
})

t.test('returns only stale entries from sync', async (t) => {
  const [seller, reader] = [await app.signIn('Webb Bros'), await app.signIn('Boyle Motor')]
  const [fresh, stale, gone] = [
    await publish(seller),
    await publish(seller, { title: 'Other' }),
    await publish(seller, { title: 'Sold elsewhere' }),
  ]
  const version = async (id: string) => (await reader.get<PostDetail>(`/api/inventory/${id}`)).body.version
  const live = await reader.live()
  await seller.post(`/api/inventory/${stale}/comments`, { content: 'News' })
  const posts = { [fresh]: await version(fresh), [stale]: 1, [gone]: await version(gone) }
  await seller.delete(`/api/inventory/${gone}`)
  const answer = await live.sync({ dealer: 0, posts })
  t.same(answer.ok && answer.data.posts, { [stale]: await version(stale), [gone]: 0 })
})

t.test("closes a session's sockets on every node after sign-out", async (t) => {
  const dealer = await app.signIn()
  const live = await app.on(second, dealer).live()
  t.equal((await dealer.post('/api/auth/logout')).status, 204)
  t.same(await live.nextEvent('kick'), { code: 'signed_out' })
  t.equal((await dealer.get('/api/auth/me')).status, 401)
})

t.test('refuses a handshake without a session or from another site', async (t) => {
  await t.rejects(app.visitor.live(), { message: 'unauthorized' })
  const dealer = await app.signIn()
  await t.rejects(app.on(app, { ...dealer, cookie: 'lanewire=forged' }).live(), { message: 'unauthorized' })
})

t.test('refuses to watch an unknown post and disconnects on malformed events', async (t) => {
  const live = await (await app.signIn()).live()
  t.match(await live.view({ kind: 'post', id: '01890a5d-ac96-774b-bcce-b302099a8057', on: true }), {
    ok: false,
    error: { code: 'not_found' },
  })
  const ended = new Promise<string>((resolve) => live.socket.once('disconnect', resolve))
  for (let n = 0; n < 10; n += 1)
    live.socket.emit('view', { kind: 'everything', id: 7, on: 'yes' } as never, () => undefined)
  t.equal(await ended, 'io server disconnect')
})

t.test('refetches everything in an open tab that an event of its dealer changes', async (t) => {
  const [dana, luis] = [await app.signIn('Torres'), await app.signIn('Herrera')]
  const tabs = [await openTabCache(dana, luis.id), await openTabCache(luis, dana.id)] as const
  const same = async (what: string) => {
    for (const tab of tabs) t.same(await tab.catchUp(), await tab.fetchAll(), what)
  }
  const [danaTab, luisTab] = tabs.map(({ live }) => live)
  const hears = (tab: typeof danaTab, kind: InboxKind) => tab?.nextEvent('inbox.changed', ({ what }) => what === kind)

  await luis.post(`/api/dealers/${dana.id}/connect`)
  await Promise.all([hears(luisTab, 'connection'), hears(danaTab, 'request'), hears(danaTab, 'notification')])
  await same('a request')
  const [request] = (await dana.get<{ id: string }[]>(`/api/connections/requests/${dana.id}`)).body
  await dana.post(`/api/connections/requests/${request?.id}/accept`)
  await Promise.all([hears(danaTab, 'connection'), hears(luisTab, 'connection'), hears(luisTab, 'notification')])
  await same('an accepted request')
  await luis.post('/api/notifications/read', {})
  await luis.post('/api/saved-searches', { search: 'f-150', sort: 'recent' })
  await Promise.all([hears(luisTab, 'notification'), hears(luisTab, 'saved')])
  await same('what was read and saved')
  const postId = await publish(dana)
  const vehicleId = (await luis.get<PostDetail>(`/api/inventory/${postId}`)).body.vehicles[0]?.id
  const { body: offer } = await luis.post<Offer>(`/api/inventory/${postId}/offers`, { vehicleId, amount: 30_000 })
  // The new post fits the saved search, so luis is notified of it.
  await Promise.all([hears(danaTab, 'deal'), hears(luisTab, 'deal'), hears(luisTab, 'notification')])
  await same('whose turn it is on an offer')
  await dana.post(`/api/offers/${offer.id}/decline`, {})
  await Promise.all([hears(danaTab, 'deal'), hears(luisTab, 'deal')])
  await same('and on none any more')
  await dana.delete(`/api/dealers/${luis.id}/connect`)
  await Promise.all([hears(danaTab, 'connection'), hears(luisTab, 'connection')])
  await same('the end of a connection')
})

t.test('refuses to join more than 200 rooms, until the client leaves one', async (t) => {
  const dana = await app.signIn('Torres')
  const id = await publish(dana)
  const live = await dana.live()
  const view = (kind: 'feed' | 'post', id: string, on = true) => live.view({ kind, id, on })
  for (let n = 0; n < 200; n += 1) await view('feed', String(n))
  t.match(await view('post', id), { ok: false, error: { code: 'conflict' } })
  t.match(await view('feed', '7'), { ok: true }, 'joining a room again')
  t.match(await view('feed', '0', false), { ok: true })
  t.match(await view('post', id), { ok: true })
  t.match(await view('feed', '0'), { ok: false, error: { code: 'conflict' } })
})
