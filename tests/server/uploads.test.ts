import t from 'tap'
import sharp from 'sharp'
import type { ErrorBody } from '#shared/errors.ts'
import { photoMaxBytes } from '#shared/limits.ts'
import type { Message } from '#shared/schemas/messaging.ts'
import type { NotificationsPage } from '#shared/schemas/notifications.ts'
import type { Comment, PostDetail } from '#shared/schemas/posts.ts'
import { sweepOrphans } from '#server/features/uploads/uploads.jobs.ts'
import { startApp, type Caller } from '#tests/support/app.ts'
import { openChat } from '#tests/support/chat.ts'
import { aPost, publish } from '#tests/support/factories.ts'
import { allowUpload, aPhoto, loadPicture, putFile, settled, upload } from '#tests/support/uploads.ts'

t.test('a photo goes up raw, comes back upright in three widths and without its metadata', async (t) => {
  const app = await startApp(t)
  const seller = await app.signIn('Webb Bros')
  const tab = await seller.live()
  const { uploadURL, objectId } = await allowUpload(seller)
  t.equal((await putFile(uploadURL, await aPhoto())).status, 200)
  const status = await settled(seller, objectId)
  t.match(status, { state: 'ready', width: 1200, height: 2400, error: null })
  t.match(await tab.nextEvent('object.changed', ({ state }) => state === 'ready'), { objectId })
  const path = new URL(uploadURL).pathname
  for (const [query, width] of [
    ['?w=320', 320],
    ['?w=700', 960],
    ['', 960],
    ['?w=2048', 1200],
  ] as const) {
    const { headers, bytes } = await loadPicture(app, seller, path + query)
    const metadata = await sharp(bytes).metadata()
    t.equal(metadata.width, width, `${query} is ${width} wide`)
    t.equal(metadata.exif, undefined)
    t.equal(headers.get('content-type'), 'image/webp')
    t.equal(headers.get('x-content-type-options'), 'nosniff')
    t.match(headers.get('cache-control'), /immutable/)
  }
})

t.test('the upload URL without its query is accepted as a photo and stays with the post', async (t) => {
  const app = await startApp(t)
  const [seller, reader] = [await app.signIn('Webb Bros'), await app.signIn('Boyle Motor')]
  const url = await upload(seller, await aPhoto(400, 300))
  const { status, body } = await seller.post<PostDetail>('/api/inventory', aPost({ photoUrls: [url] }))
  t.equal(status, 201)
  t.same(body.photoUrls, [new URL(url).pathname])
  t.equal((await loadPicture(app, reader, body.photoUrls[0] ?? '')).status, 200)
  t.equal((await loadPicture(app, app.visitor, body.photoUrls[0] ?? '')).status, 401)
})

t.test('another dealer cannot post my upload, nor one that never arrived', async (t) => {
  const { signIn } = await startApp(t)
  const [seller, other] = [await signIn('Webb Bros'), await signIn('Boyle Motor')]
  const url = await upload(seller, await aPhoto(40, 30))
  const empty = await allowUpload(other)
  for (const photo of [url, empty.uploadURL, 'javascript:alert(1)'])
    t.equal((await other.post('/api/inventory', aPost({ photoUrls: [photo] }))).status, 400, photo.slice(0, 12))
})

t.test('a PUT is refused when it is altered, expired, too large or of the wrong type', async (t) => {
  const { signIn, server } = await startApp(t)
  const seller = await signIn()
  const photo = await aPhoto(40, 30)
  const { uploadURL } = await allowUpload(seller)
  const altered = uploadURL.replace(/max=\d+/, `max=${photoMaxBytes - 1}`)
  t.equal((await putFile(altered, photo)).status, 403, 'altered')
  const later = uploadURL.replace(/expires=\d+/, `expires=${Date.now() - 1}`)
  t.equal((await putFile(later, photo)).status, 403, 'expired')
  t.equal((await putFile(uploadURL, Buffer.alloc(photoMaxBytes + 1, 1))).status, 413, 'over 10 MB')
  t.equal((await putFile(uploadURL, photo, 'text/html')).status, 415, 'not called an image')
  const script = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
  const disguised = await putFile(uploadURL, script, 'image/png')
  t.equal(disguised.status, 415, 'not an image inside')
  t.equal(((await disguised.json()) as ErrorBody).error.message, 'Please select only image files')
  const bound = await allowUpload(seller, { contentType: 'image/png', bytes: 10 })
  t.equal((await putFile(bound.uploadURL, photo, 'image/jpeg')).status, 415, 'another type than agreed')
  t.equal((await putFile(bound.uploadURL, photo, 'image/png')).status, 413, 'larger than agreed')
  const states = await server.ctx.db.selectFrom('objects').select('state').distinct().execute()
  t.same(states, [{ state: 'awaited' }], 'nothing was kept')
})

t.test('a broken picture ends as failed with a reason its owner can read, and leaves its post', async (t) => {
  const { signIn, server } = await startApp(t)
  const [seller, other] = [await signIn('Webb Bros'), await signIn('Boyle Motor')]
  const whole = await aPhoto(800, 600)
  const { uploadURL, objectId } = await allowUpload(seller)
  const postId = await publish(seller)
  // Posted while it was being worked on.
  const photo = { postId, position: 0, url: `/api/objects/${objectId}` }
  await server.ctx.db.insertInto('photos').values(photo).execute()
  t.equal((await putFile(uploadURL, whole.subarray(0, whole.length - 400))).status, 200)
  t.match(await settled(seller, objectId), { state: 'failed', error: 'This picture could not be read' })
  t.equal((await other.get(`/api/objects/${objectId}/status`)).status, 404, 'nobody else learns of it')
  t.match((await other.get(`/api/inventory/${postId}`)).body, { photoUrls: [] })
  const { items } = (await seller.get<NotificationsPage>('/api/notifications')).body
  t.match(items, [{ kind: 'unreadable', path: `/post/${postId}` }])
})

t.test(
  'a comment’s picture is being processed, then shown or said to have failed, and its author takes it out',
  async (t) => {
    const { signIn, server } = await startApp(t)
    const [seller, author] = [await signIn('Webb Bros'), await signIn('Boyle Motor')]
    const postId = await publish(seller)
    const reader = await seller.live()
    await reader.view({ kind: 'post', id: postId, on: true })
    const path = `/api/inventory/${postId}/comments`
    const whole = await aPhoto(800, 600)
    const { uploadURL, objectId } = await allowUpload(author, { kind: 'attachment' })
    const attachmentUrl = `/api/objects/${objectId}`
    // Commented while it was being worked on.
    const comment = { postId, dealerId: author.id, content: 'The dent', attachmentUrl, attachmentName: 'dent.jpg' }
    await server.ctx.db.insertInto('comments').values(comment).execute()
    t.equal((await putFile(uploadURL, whole.subarray(0, whole.length - 400))).status, 200)
    const failed = await reader.nextEvent('post.comment', (event) => event.comment.attachment?.state === 'failed')
    t.match(failed.comment, { content: 'The dent', attachment: { name: 'dent.jpg' } })
    const remove = (caller: Caller) => caller.delete(`${path}/${failed.comment.id}/attachment`)
    t.equal((await remove(seller)).status, 403, 'it is not another’s to remove')
    t.equal((await remove(author)).status, 204)
    const after = await reader.nextEvent('post.comment', (event) => event.comment.attachment === null)
    t.match(after.comment, { content: 'The dent', attachmentUrl: null })
    t.equal((await remove(author)).status, 204, 'twice does no harm')

    const url = await upload(author, whole)
    const { body } = await author.post<Comment>(path, {
      content: 'Better',
      attachmentUrl: url,
      attachmentName: 'ok.jpg',
    })
    t.match(body.attachment, { name: 'ok.jpg', state: 'ready', isPicture: true })
    const { comments } = (await seller.get<PostDetail>(`/api/inventory/${postId}`)).body
    t.same(comments, [after.comment, body], 'what was told live is what is read')
  },
)

t.test('an upload that nothing used is swept after a day, with its files; one in use stays', async (t) => {
  const app = await startApp(t)
  const [seller, other] = [await app.signIn(), await app.signIn()]
  const photo = await aPhoto(40, 30)
  const [posted, sent, unused] = [await upload(seller, photo), await upload(seller, photo), await upload(seller, photo)]
  await seller.post('/api/inventory', aPost({ photoUrls: [posted] }))
  const chatId = await openChat(seller, other)
  const send = (from: Caller, attachmentUrl: string) =>
    from.post<Message>('/api/messages', { chatId, content: '', attachmentUrl })
  const { body: message } = await send(seller, sent)
  t.equal(message.attachmentUrl, new URL(sent).pathname)
  t.equal((await send(other, unused)).status, 400, 'nobody sends what another has uploaded')
  t.equal((await send(seller, 'javascript:alert(1)')).status, 400)
  t.equal((await send(seller, 'https://elsewhere.example/pixel.png')).status, 400)
  const dayAgo = new Date(Date.now() - 25 * 3_600_000)
  await app.server.ctx.db.updateTable('objects').set({ createdAt: dayAgo }).execute()
  await sweepOrphans(app.server.ctx)
  for (const url of [posted, sent]) t.equal((await loadPicture(app, other, new URL(url).pathname)).status, 200)
  t.equal((await loadPicture(app, seller, new URL(unused).pathname)).status, 404)
  const id = new URL(unused).pathname.split('/').at(-1) ?? ''
  t.equal(await app.server.ctx.storage.read(`${id}/40.webp`), undefined)
})

t.test('only a signed-in dealer may start an upload', async (t) => {
  const { visitor } = await startApp(t)
  t.equal((await visitor.post('/api/objects/upload')).status, 401)
})
