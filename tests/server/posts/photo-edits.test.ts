import t from 'tap'
import type { PostDetail } from '#shared/schemas/posts.ts'
import { withChanges, withPhotos } from '#server/features/posts/edits-under-auction.policy.ts'
import { startApp } from '#tests/support/app.ts'
import { aVehicle, publish } from '#tests/support/factories.ts'
import { aShownVehicle } from '#tests/support/records.ts'
import { aPhoto, upload } from '#tests/support/uploads.ts'

const app = await startApp(t)

t.test('keeps photos that another edit has added, removed or moved in the meantime', async (t) => {
  const vehicle = aShownVehicle()
  const cases = [
    { read: 'abc', now: 'abcd', sent: 'abce', both: 'abcde' },
    { read: 'abc', now: 'ab', sent: 'bc', both: 'b' },
    { read: 'abc', now: 'cab', sent: 'abcd', both: 'cabd' },
    { read: 'abc', now: 'abcd', sent: 'cab', both: 'cabd' },
    { read: 'abc', now: 'bc', sent: 'dabc', both: 'dbc' },
    { read: 'abc', now: '', sent: 'abcd', both: 'd' },
    { read: 'abc', now: 'abcd', sent: 'abcd', both: 'abcd' },
  ]
  for (const { read, now, sent, both } of cases) {
    const about = `${read}: ${now}, then ${sent}`
    const own = withPhotos(
      { photoUrls: [...sent], photoUrlsRead: [...read] },
      { photoUrls: [...now, 'v'], vehicles: [{ ...vehicle, photos: ['v'] }] },
    )
    t.same(own, { photoUrls: [...both] }, about)
    const changed = [{ id: vehicle.id, photos: [...sent], photosRead: [...read] }]
    const { vehicles } = withChanges({ vehicleChanges: { changed } }, { vehicles: [{ ...vehicle, photos: [...now] }] })
    t.same(vehicles?.[0]?.photos, [...both], `${about}, of a vehicle`)
    t.notOk(Object.hasOwn(vehicles?.[0] ?? {}, 'photosRead'))
  }
})

t.test('merges photo edits from two tabs', async (t) => {
  const seller = await app.signIn('Webb Bros')
  const photos = await Promise.all([1, 2, 3, 4, 5, 6].map(async () => upload(seller, await aPhoto(40, 30))))
  const [a = '', b = '', c = '', d = '', e = '', f = ''] = photos.map((url) => new URL(url).pathname)
  const id = await publish(seller, { photoUrls: [a, b], vehicles: [{ ...aVehicle, photos: [e] }] })
  const read = async () => (await seller.get<PostDetail>(`/api/inventory/${id}`)).body
  const vehicleId = (await read()).vehicles[0]?.id
  for (const [own, ofVehicle] of [
    [
      [a, b, c],
      [e, f],
    ],
    [[b, d], []],
  ] as const) {
    const changed = [{ id: vehicleId, photos: ofVehicle, photosRead: [e] }]
    const patch = { photoUrls: own, photoUrlsRead: [a, b], vehicleChanges: { changed } }
    t.equal((await seller.patch(`/api/inventory/${id}`, patch)).status, 200)
  }
  const { photoUrls, vehicles } = await read()
  t.same(vehicles[0]?.photos, [f])
  t.same(photoUrls, [b, c, d, f])
})
