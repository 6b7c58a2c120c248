import t from 'tap'
import type { NotificationsPage } from '#shared/schemas/notifications.ts'
import type { PostDetail } from '#shared/schemas/posts.ts'
import type { ObjectStatus } from '#shared/schemas/uploads.ts'
import { type Caller, startApp } from '#tests/support/app.ts'
import { aVehicle, publish } from '#tests/support/factories.ts'
import { startWebsite } from '#tests/support/sheets.ts'
import { aPhoto, settled } from '#tests/support/uploads.ts'
import { until } from '#tests/support/wait.ts'

const readPost = async (caller: Caller, id: string) => (await caller.get<PostDetail>(`/api/inventory/${id}`)).body

t.test('fetches a linked photo into storage once', async (t) => {
  const picture = await aPhoto(400, 300)
  const asked: (string | undefined)[] = []
  const accepted: (string | undefined)[] = []
  const host = await startWebsite(t, (request, response) => {
    asked.push(request.url)
    accepted.push(request.headers.accept)
    response.setHeader('content-type', 'image/jpeg').end(picture)
  })
  const app = await startApp(t, { FETCH_PRIVATE_HOSTS: host })
  const [seller, reader] = [await app.signIn('Webb Bros'), await app.signIn('Boyle Motor')]
  const [front, rear] = [`http://${host}/front.jpg`, `http://${host}/rear.jpg`]
  const id = await publish(seller, { photoUrls: [front], vehicles: [{ ...aVehicle, photos: [rear] }] })
  const { photoUrls, vehicles } = await readPost(reader, id)
  t.equal(photoUrls.length, 2)
  for (const url of photoUrls) t.match(url, /^\/api\/objects\/[\da-f-]{36}$/, 'ours from the start')
  t.same(vehicles[0]?.photos, photoUrls.slice(1))
  for (const url of photoUrls) {
    const { state } = await settled(seller, url.slice(-36))
    t.equal(state, 'ready')
    t.equal((await reader.get(`${url}?w=320`)).status, 200, 'readers of the post load it from our server')
  }
  t.same(asked.toSorted(), ['/front.jpg', '/rear.jpg'])
  t.match(accepted, [/^image\//, /^image\//], 'the request asks a site with several formats for a picture')
  await seller.patch(`/api/inventory/${id}`, { title: 'The same photos', photoUrls: photoUrls.slice(0, 1) })
  t.same((await readPost(reader, id)).photoUrls, photoUrls)
  t.equal(asked.length, 2)
})

t.test('removes a link that is no picture from the post and tells its dealer why', async (t) => {
  const host = await startWebsite(t, (request, response) => {
    if (request.url === '/missing.jpg') response.writeHead(404).end()
    else if (request.url === '/huge.jpg') response.end(Buffer.alloc(11 * 1024 * 1024, 1))
    else response.setHeader('content-type', 'image/jpeg').end('<html>no picture</html>')
  })
  const app = await startApp(t, { FETCH_PRIVATE_HOSTS: host })
  const seller = await app.signIn('Webb Bros')
  const links: Record<string, string> = {
    [`http://${host}/missing.jpg`]: 'The link is not publicly accessible (it returned status 404)',
    [`http://${host}/page.jpg`]: 'The link is not a picture',
    [`http://${host}/huge.jpg`]: 'The file is larger than 10 MB',
    'http://169.254.169.254/latest/meta-data/photo.jpg': 'The link points to a private address',
  }
  for (const [link, reason] of Object.entries(links)) {
    const id = await publish(seller, { photoUrls: [link] })
    await until('the photo to be gone', async () => (await readPost(seller, id)).photoUrls.length === 0)
    const { body } = await seller.get<NotificationsPage>('/api/notifications')
    t.match(body.items[0], { path: `/post/${id}`, title: /^A photo could not be used: / }, link)
    t.equal(body.items[0]?.body, `${reason}. It was removed from your post. Edit the post to add another.`)
  }
  for (const link of ['ftp://photos.example/1.jpg', 'javascript:alert(1)', 'photos.example/1.jpg'])
    t.equal(
      (await seller.post('/api/inventory', { title: 'A', type: 'single', vehicles: [aVehicle], photoUrls: [link] }))
        .status,
      400,
      link,
    )
})

t.test('shows readers a photo in progress, and visitors nothing, until it is stored', async (t) => {
  const app = await startApp(t, { ROLES: 'api,rt' })
  const [seller, other] = [await app.signIn('Webb Bros'), await app.signIn('Boyle Motor')]
  const id = await publish(seller, { photoUrls: ['https://photos.example/1.jpg'] })
  const [url = ''] = (await readPost(seller, id)).photoUrls
  t.match((await seller.get<ObjectStatus>(`${url}/status`)).body, { state: 'awaited', error: null })
  t.match(
    (await other.get<ObjectStatus>(`${url}/status`)).body,
    { state: 'awaited', error: null },
    'a reader of the post',
  )
  t.equal((await app.visitor.get(`${url}/status`)).status, 401)
})
