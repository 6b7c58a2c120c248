import t from 'tap'
import type { PostDetail } from '#shared/schemas/posts.ts'
import { startApp } from '#tests/support/app.ts'
import { aVehicle, publish } from '#tests/support/factories.ts'

const app = await startApp(t)

t.test('two tabs that edit the photos of a post keep the changes of each other', async (t) => {
  const seller = await app.signIn('Webb Bros')
  const url = (name: string) => `https://example.com/${name}.jpg`
  const urls = (names: string) => names.split('').map(url)
  const namesIn = (list: string[] = []) => list.map((one) => /(\w)\.jpg$/.exec(one)?.[1]).join('')
  const cases = [
    { read: 'abc', one: 'abcd', other: 'abce', both: 'abcde' },
    { read: 'abc', one: 'ab', other: 'bc', both: 'b' },
    { read: 'abc', one: 'cab', other: 'abcd', both: 'cabd' },
    { read: 'abc', one: 'abcd', other: 'cab', both: 'cabd' },
    { read: 'abc', one: 'bc', other: 'dabc', both: 'dbc' },
    { read: 'abc', one: '', other: 'abcd', both: 'd' },
  ]
  for (const { read, one, other, both } of cases) {
    const id = await publish(seller, { photoUrls: urls(read), vehicles: [aVehicle] })
    const ofVehicle = await publish(seller, { vehicles: [{ ...aVehicle, photos: urls(read) }] })
    const [vehicle] = (await seller.get<PostDetail>(`/api/inventory/${ofVehicle}`)).body.vehicles
    for (const list of [one, other]) {
      const own = { photoUrls: urls(list), photoUrlsRead: urls(read) }
      t.equal((await seller.patch(`/api/inventory/${id}`, own)).status, 200)
      const changed = [{ id: vehicle?.id, photos: urls(list), photosRead: urls(read) }]
      t.equal((await seller.patch(`/api/inventory/${ofVehicle}`, { vehicleChanges: { changed } })).status, 200)
    }
    const about = `${read}: ${one}, then ${other}`
    t.equal(namesIn((await seller.get<PostDetail>(`/api/inventory/${id}`)).body.photoUrls), both, about)
    const after = (await seller.get<PostDetail>(`/api/inventory/${ofVehicle}`)).body
    t.equal(namesIn(after.vehicles[0]?.photos), both, `${about}, of a vehicle`)
  }
})
