import sharp from 'sharp'
import t from 'tap'
import type { NotificationsPage } from '#shared/schemas/notifications.ts'
import type { DealerProfile, OwnProfile } from '#shared/schemas/dealers.ts'
import { type Caller, startApp, type TestApp } from '#tests/support/app.ts'
import { testServices } from '#tests/support/services.ts'
import { loadPicture, postAvatar, sendAvatar } from '#tests/support/uploads.ts'

const app = await startApp(t)
t.beforeEach(app.startOver)

const reviewsOf = (caller: Caller, id: string) => caller.get(`/api/dealers/${id}/reviews`)
const profileOf = (caller: Caller, id: string) => caller.get<DealerProfile>(`/api/dealers/${id}`)

async function twoDealers(app: TestApp) {
  const ann = await app.signIn('Ann Autos', { name: 'Ann Able' })
  const ben = await app.signIn('Ben Motors', { name: 'Ben Baker' })
  return { ann, ben }
}

const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#336699' } })

t.test('returns contact data only as the owner allows', async (t) => {
  const { ann, ben } = await twoDealers(app)
  t.equal((await profileOf(ben, ann.id)).body.contact, null)
  t.notOk(JSON.stringify((await profileOf(ben, ann.id)).body).includes('@test.example'))
  t.match(
    (await profileOf(ann, ann.id)).body.contact,
    { email: /@test\.example$/ },
    'a dealer sees their own contact data',
  )
  await ann.patch('/api/settings', { contactSharing: true })
  t.match((await profileOf(ben, ann.id)).body.contact, { email: /@test\.example$/ })
})

t.test('shows a hidden profile to mutual connections only', async (t) => {
  const { ann, ben } = await twoDealers(app)
  await ann.patch('/api/settings', { profileVisibility: false })
  t.equal((await profileOf(ben, ann.id)).status, 404)
  await ben.post(`/api/dealers/${ann.id}/connect`)
  t.equal((await profileOf(ben, ann.id)).status, 404, 'adding a dealer does not reveal their contact data')
  t.equal((await reviewsOf(ben, ann.id)).status, 404, 'nor reviews of them')
  t.equal((await reviewsOf(ann, ann.id)).status, 200)
  await ann.post(`/api/dealers/${ben.id}/connect`)
  t.equal((await profileOf(ben, ann.id)).status, 200)
  t.equal((await reviewsOf(ben, ann.id)).status, 200)
})

t.test('hides dealers who blocked each other from one another', async (t) => {
  const { ann, ben } = await twoDealers(app)
  const { body: chat } = await ann.post<{ id: string }>('/api/chats', { dealerId: ben.id })
  t.equal((await ann.patch(`/api/chats/${chat.id}`, { blocked: true })).status, 200)
  for (const [one, other] of [
    [ben, ann],
    [ann, ben],
  ] as const) {
    t.equal((await profileOf(one, other.id)).status, 404)
    t.equal((await reviewsOf(one, other.id)).status, 404)
  }
  t.same((await ben.get('/api/dealers')).body, [])
  t.equal((await ben.post(`/api/dealers/${ann.id}/connect`)).status, 404)
})

t.test('shows record, four achievements, pending request and mutual connections', async (t) => {
  const { ann, ben } = await twoDealers(app)
  const cat = await app.signIn('Cat Cars', { name: 'Cat Cole' })
  for (const dealer of [ann, ben]) await dealer.post(`/api/dealers/${cat.id}/connect`)
  await ann.post(`/api/dealers/${ben.id}/connect`)
  await app.server.ctx.db
    .insertInto('deals')
    .values({
      sellerId: ann.id,
      buyerId: cat.id,
      status: 'completed',
      priceCents: 2_450_000,
      completedAt: new Date(),
    })
    .execute()
  const { body } = await profileOf(ben, ann.id)
  t.match(body, {
    name: 'Ann Able',
    mutualConnections: 1,
    mutual: [{ id: cat.id }],
    stats: { deals: 1, volume: 24_500 },
  })
  t.type(body.requestId, 'string')
  const chat = await ben.post<{ id: string }>('/api/chats', { dealerId: cat.id })
  await ben.patch(`/api/chats/${chat.body.id}`, { blocked: true })
  const without = (await profileOf(ben, ann.id)).body
  t.same(without.mutual, [], 'no dealer whose profile the reader cannot see')
  t.equal(without.mutualConnections, 0, 'and they are not counted')
  t.same(
    body.achievements.map(({ key, earned }) => [key, earned]),
    [
      ['verified', false],
      ['rated', false],
      ['closer', false],
      ['network', false],
    ],
  )
})

t.test('saves the profile form, checks each field, and updates other tabs', async (t) => {
  const { ann } = await twoDealers(app)
  const tab = await ann.live()
  const { status, body } = await ann.patch<OwnProfile>('/api/profile', {
    name: '  Ann B. Able ',
    website: 'https://ann.example',
    zip: '75201',
    description: 'Trucks',
  })
  t.equal(status, 200)
  t.match(body, { name: 'Ann B. Able', website: 'https://ann.example', zip: '75201', phone: '' })
  await tab.nextEvent('inbox.changed', ({ what }) => what === 'profile')
  t.match((await ann.get<OwnProfile>('/api/profile')).body, { name: 'Ann B. Able', description: 'Trucks' })
  for (const wrong of [
    { name: ' ' },
    { dealershipName: '' },
    { website: 'javascript:alert(1)' },
    { description: 'x'.repeat(2_001) },
    { dealershipType: 'bank' },
  ])
    t.match(await ann.patch('/api/profile', wrong), { status: 400 }, JSON.stringify(wrong).slice(0, 60))
  await ann.patch('/api/profile', { email: 'x@y.example' })
  t.match((await ann.get<OwnProfile>('/api/profile')).body, { email: /@test\.example$/ }, 'the email changes elsewhere')
  t.equal((await app.visitor.patch('/api/profile', { name: 'X' })).status, 401)
})

t.test('turns an avatar into a square picture and refuses other content', async (t) => {
  const { ann, ben } = await twoDealers(app)
  const avatar = await sendAvatar(app, ann, await picture(640, 360).png().toBuffer())
  const shown = await loadPicture(app, ben, `${avatar}?w=320`)
  t.equal(shown.headers.get('content-type'), 'image/webp')
  t.match(await sharp(shown.bytes).metadata(), { width: 320, height: 320, format: 'webp' })
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>1</script></svg>')
  t.equal((await postAvatar(app, ann, svg)).status, 415)
  t.equal((await postAvatar(app, ann, Buffer.from('not a picture'), 'me.jpg')).status, 415)
  t.equal((await postAvatar(app, ann, await picture(9, 9).webp().toBuffer())).status, 415)
  t.equal((await postAvatar(app, ann, Buffer.alloc(2 * 1024 * 1024 + 1))).status, 413)
  t.match((await ann.get<OwnProfile>('/api/profile')).body, { avatar, pendingAvatar: null }, 'refused: nothing changed')
  t.equal((await ann.delete('/api/profile/avatar')).status, 204)
  t.equal((await ann.get<OwnProfile>('/api/profile')).body.avatar, null)
})

t.test('keeps the previous avatar until the new one is ready, and uses the last upload', async (t) => {
  const services = await testServices(t)
  const app = await startApp(t, { ROLES: 'api,rt' }, services)
  const { ann } = await twoDealers(app)
  const worker = async () => {
    const started = await startApp(t, { ROLES: 'worker' }, services)
    return () => started.server.stop('enough for now')
  }
  const profile = async () => (await ann.get<OwnProfile>('/api/profile')).body
  let stop = await worker()
  const first = await sendAvatar(app, ann, await picture(64, 64).png().toBuffer())
  await stop()

  const second = (await postAvatar(app, ann, await picture(64, 64).jpeg().toBuffer())).body.avatar
  t.match(await profile(), { avatar: first, pendingAvatar: { url: second, state: 'stored', error: null } })
  const third = (await postAvatar(app, ann, await picture(5_001, 5_000).png().toBuffer())).body.avatar
  t.match(await profile(), { avatar: first, pendingAvatar: { url: third, state: 'stored' } })
  const tab = await ann.live()
  stop = await worker()
  await tab.nextEvent('object.changed', ({ objectId, state }) => third.endsWith(objectId) && state === 'failed')
  await tab.nextEvent('object.changed', ({ objectId, state }) => second.endsWith(objectId) && state === 'ready')
  const error = 'This picture has 26 megapixels. The limit is 25'
  t.match(await profile(), { avatar: first, pendingAvatar: { url: third, state: 'failed', error } })
  const { items } = (await ann.get<NotificationsPage>('/api/notifications')).body
  t.match(items, [{ kind: 'unreadable', path: '/profile-edit', body: new RegExp(error) }])
  await stop()

  const fourth = (await postAvatar(app, ann, await picture(64, 64).png().toBuffer())).body.avatar
  t.equal((await ann.delete('/api/profile/avatar')).status, 204)
  t.match(await profile(), { avatar: null, pendingAvatar: null }, 'removing the picture also drops a pending upload')
  t.equal((await ann.get(fourth)).status, 404)
  await worker()
  const fifth = await sendAvatar(app, ann, await picture(64, 64).png().toBuffer())
  t.match(await profile(), { avatar: fifth, pendingAvatar: null })
})
