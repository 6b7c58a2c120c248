import { EventEmitter, once } from 'node:events'
import t from 'tap'
import sharp from 'sharp'
import type { ErrorBody } from '#shared/errors.ts'
import { photoMaxBytes } from '#shared/limits.ts'
import type { Message } from '#shared/schemas/messaging.ts'
import type { NotificationsPage } from '#shared/schemas/notifications.ts'
import type { PostDetail } from '#shared/schemas/posts.ts'
import type { Comment } from '#shared/schemas/comments.ts'
import { sweepOrphans } from '#server/features/uploads/uploads.jobs.ts'
import { jobHandlers } from '#server/jobs.ts'
import { connectAlone } from '#server/features/admin/backups/backup-tables.repository.ts'
import { startApp, type Caller } from '#tests/support/app.ts'
import { openChat } from '#tests/support/chat.ts'
import { aPost, publish } from '#tests/support/factories.ts'
import { untilBlocked } from '#tests/support/locks.ts'
import { type NodeProcess, startNode } from '#tests/support/node-process.ts'
import { testServices } from '#tests/support/services.ts'
import { aGif, allowUpload, aPhoto, loadPicture, postAvatar, putFile, settled, upload } from '#tests/support/uploads.ts'
import { until } from '#tests/support/wait.ts'

const app = await startApp(t)
t.beforeEach(app.startOver)

t.test('uploads a photo and serves it upright in three widths without metadata', async (t) => {
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
    t.equal(headers.get('cache-control'), 'private, no-cache')
  }
})

t.test('answers 202 until a worker has processed a picture, and never decodes it in the web process', async (t) => {
  const services = await testServices(t)
  const [web, app] = [await startNode(t, services), await startApp(t, { ROLES: 'api,rt' }, services)]
  const [seller, reader] = [await app.signIn('Webb Bros'), await app.signIn('Boyle Motor')]
  const onWeb = (caller: Caller) => app.on({ ...app, url: web.url }, caller)
  const { uploadURL, objectId } = await allowUpload(onWeb(seller))
  t.equal((await putFile(uploadURL, await aPhoto())).status, 200)
  const path = new URL(uploadURL).pathname
  const postId = await publish(seller, { photoUrls: [path] })
  const chatId = await openChat(seller, reader)
  t.equal((await seller.post('/api/messages', { chatId, content: '', attachmentUrl: path })).status, 201)
  t.equal((await postAvatar({ ...app, url: web.url }, seller, await aPhoto(300, 300))).status, 202)
  for (const caller of [seller, reader])
    for (const query of ['', '?w=320', '?w=2048']) {
      const { status, headers, body } = await onWeb(caller).get(path + query)
      t.same([status, body, headers.get('retry-after')], [202, undefined, '2'])
      t.equal(headers.get('cache-control'), 'no-store')
    }
  t.match((await reader.get(`${path}/status`)).body, { state: 'stored' })
  const decoders = async (node: NodeProcess) => (await node.libraries()).filter((name) => /vips|sharp/.test(name))
  t.same(await decoders(web), [], 'the decoder is not even loaded')

  const [sees, writes, elsewhere] = [await reader.live(), await seller.live(), await (await app.signIn()).live()]
  await sees.view({ kind: 'post', id: postId, on: true })
  const worker = await startNode(t, services, { ROLES: 'worker' })
  const ready = { objectId, state: 'ready', error: null }
  for (const tab of [sees, writes]) {
    const news = await tab.nextEvent('object.changed', (event) => event.objectId === objectId)
    t.same(news, ready, 'sent to the owner and to readers of the post')
  }
  t.same(await elsewhere.receivedAfterRoundTrip('object.changed'), [])
  for (const caller of [seller, reader]) t.equal((await loadPicture(app, caller, path)).status, 200)
  t.not((await decoders(worker)).length, 0)
})

t.test('decodes one picture at a time per process', async (t) => {
  const { signIn, server } = app
  const seller = await signIn('Webb Bros')
  const photo = await aPhoto(600, 600)
  const ids = await Promise.all(
    Array.from({ length: 5 }, async () => {
      const { uploadURL, objectId } = await allowUpload(seller)
      await putFile(uploadURL, photo)
      return objectId
    }),
  )
  let most = 0
  let left = ids
  while (left.length > 0) {
    most = Math.max(most, await server.ctx.queues.media.getActiveCount())
    const ready = await server.ctx.db.selectFrom('objects').select('id').where('state', '=', 'ready').execute()
    left = ids.filter((id) => !ready.some((object) => object.id === id))
  }
  t.equal(most, 1)
})

t.test('refuses an oversized picture by its header and tells the owner why', async (t) => {
  const { signIn, server } = app
  const [seller, other] = [await signIn('Webb Bros'), await signIn('Boyle Motor')]
  const bomb = await sharp({ create: { width: 10_000, height: 10_000, channels: 3, background: '#888' } })
    .png()
    .toBuffer()
  t.ok(bomb.length < 500_000, `${bomb.length} bytes`)
  const cases: [Buffer, string][] = [
    [bomb, 'This picture has 100 megapixels. The limit is 25'],
    [aGif(501), 'This animation has 501 frames. The limit is 500'],
  ]
  for (const [content, error] of cases) {
    const { uploadURL, objectId } = await allowUpload(seller)
    const postId = await publish(seller)
    const photo = { postId, position: 0, url: `/api/objects/${objectId}` }
    await server.ctx.db.insertInto('photos').values(photo).execute()
    t.equal((await putFile(uploadURL, content)).status, 200)
    t.match(await settled(seller, objectId), { state: 'failed', error })
    const { items } = (await seller.get<NotificationsPage>('/api/notifications')).body
    t.match(items, [{ kind: 'unreadable', body: new RegExp(error), path: `/post/${postId}` }])
    t.match((await other.get(`/api/inventory/${postId}`)).body, { photoUrls: [] })
  }
  const { uploadURL, objectId } = await allowUpload(seller)
  t.equal((await putFile(uploadURL, aGif(500))).status, 200)
  t.match(await settled(seller, objectId), { state: 'ready', width: 8, height: 8 })

  const sent = await allowUpload(seller, { kind: 'attachment' })
  await putFile(sent.uploadURL, bomb)
  const chatId = await openChat(seller, other)
  await settled(seller, sent.objectId)
  await server.ctx.db
    .insertInto('messages')
    .values({
      chatId,
      seq: 1,
      rev: 1,
      senderId: seller.id,
      clientId: sent.objectId,
      content: '',
      createdAt: new Date(),
      attachmentUrl: `/api/objects/${sent.objectId}`,
    })
    .execute()
  const read = async (caller: Caller) => (await caller.get(`/api/objects/${sent.objectId}/status`)).body
  t.match(await read(seller), { state: 'failed', error: cases[0]?.[1] })
  t.match(await read(other), { state: 'failed', error: null }, 'only the uploader learns the reason')
  t.equal((await other.get(`/api/objects/${sent.objectId}`)).status, 404)
})

t.test('accepts the upload URL without its query as a photo of the post', async (t) => {
  const [seller, reader] = [await app.signIn('Webb Bros'), await app.signIn('Boyle Motor')]
  const url = await upload(seller, await aPhoto(400, 300))
  const { status, body } = await seller.post<PostDetail>('/api/inventory', aPost({ photoUrls: [url] }))
  t.equal(status, 201)
  t.same(body.photoUrls, [new URL(url).pathname])
  t.equal((await loadPicture(app, reader, body.photoUrls[0] ?? '')).status, 200)
  t.equal((await loadPicture(app, app.visitor, body.photoUrls[0] ?? '')).status, 401)
})

t.test("refuses another dealer's upload and one that never arrived", async (t) => {
  const { signIn } = app
  const [seller, other] = [await signIn('Webb Bros'), await signIn('Boyle Motor')]
  const url = await upload(seller, await aPhoto(40, 30))
  const empty = await allowUpload(other)
  for (const photo of [url, empty.uploadURL, 'javascript:alert(1)'])
    t.equal((await other.post('/api/inventory', aPost({ photoUrls: [photo] }))).status, 400, photo.slice(0, 12))
})

t.test('detects file types by content', async (t) => {
  const [seller, buyer] = [await app.signIn('Webb Bros'), await app.signIn('Boyle Motor')]
  const send = async (kind: 'sheet' | 'attachment', content: string, type: string) => {
    const { uploadURL, objectId } = await allowUpload(seller, { kind })
    t.equal((await putFile(uploadURL, Buffer.from(content), type)).status, 200)
    return `/api/objects/${objectId}`
  }
  const sheet = await send('sheet', '<script>alert(1)</script>', 'text/csv')
  const paper = await send('attachment', '%PDF-1.7', 'application/pdf')
  const [postId, chatId] = [await publish(seller), await openChat(seller, buyer)]
  const say = async (attachmentUrl: string) => [
    (await seller.post(`/api/inventory/${postId}/comments`, { content: 'Look', attachmentUrl })).status,
    (await seller.post('/api/messages', { chatId, content: 'Look', attachmentUrl })).status,
  ]
  for (const file of [sheet, paper]) {
    t.equal((await seller.post('/api/inventory', aPost({ photoUrls: [file] }))).status, 400)
    t.equal((await seller.patch(`/api/inventory/${postId}`, { photoUrls: [file] })).status, 400)
  }
  t.same(await say(sheet), [400, 400])
  t.same(await say(paper), [201, 201])
})

t.test('accepts a picture that is sent without a type by its content', async (t) => {
  const seller = await app.signIn()
  const png = await sharp(await aPhoto(80, 60))
    .png()
    .toBuffer()
  for (const type of ['application/octet-stream']) {
    const { uploadURL, objectId } = await allowUpload(seller)
    t.equal((await putFile(uploadURL, png, type)).status, 200, type)
    t.match(await settled(seller, objectId), { state: 'ready' }, type)
    const text = await putFile((await allowUpload(seller)).uploadURL, Buffer.from('text'), type)
    t.equal(text.status, 415, `${type}, and no picture inside`)
  }
})

t.test('removes the original of a second PUT that ends after the first one is processed', async (t) => {
  const { storage } = app.server.ctx
  const put = storage.put.bind(storage)
  t.teardown(() => (storage.put = put))
  const seller = await app.signIn('Webb Bros')
  const { uploadURL, objectId } = await allowUpload(seller)
  let isHeld = false
  const signals = new EventEmitter()
  const [reached, released] = [once(signals, 'reached'), once(signals, 'released')]
  storage.put = async (key, content, contentType) => {
    if (key === `${objectId}/original` && !isHeld) {
      isHeld = true
      signals.emit('reached')
      await released
    }
    return put(key, content, contentType)
  }
  const late = putFile(uploadURL, await aPhoto())
  await reached
  t.equal((await putFile(uploadURL, await aPhoto())).status, 200)
  t.match(await settled(seller, objectId), { state: 'ready' })
  await until(
    'the original of the first PUT to go',
    async () => (await storage.read(`${objectId}/original`)) === undefined,
  )
  signals.emit('released')
  t.equal((await late).status, 200)
  t.equal(await storage.read(`${objectId}/original`), undefined, 'no photo with its location is left')
  t.equal((await loadPicture(app, seller, new URL(uploadURL).pathname)).status, 200)
})

t.test('refuses a PUT that is altered, expired, too large or of the wrong type', async (t) => {
  const { signIn, server } = app
  const seller = await signIn()
  const photo = await aPhoto(40, 30)
  const { uploadURL } = await allowUpload(seller)
  const altered = uploadURL.replace(/max=\d+/, `max=${photoMaxBytes - 1}`)
  t.equal((await putFile(altered, photo)).status, 403, 'altered')
  const later = uploadURL.replace(/expires=\d+/, `expires=${Date.now() - 1}`)
  t.equal((await putFile(later, photo)).status, 403, 'expired')
  t.equal((await putFile(uploadURL, Buffer.alloc(photoMaxBytes + 1, 1))).status, 413, 'over 10 MB')
  const unannounced = await putFile(uploadURL, new Blob([Buffer.alloc(photoMaxBytes + 1, 1)]).stream())
  t.equal(unannounced.status, 413, 'also if its size is not sent in advance')
  t.match(await unannounced.json(), { error: { code: 'too_large', message: 'Files can be up to 10 MB' } })
  t.equal((await putFile(uploadURL, photo, 'text/html')).status, 415, 'not called an image')
  const script = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
  const disguised = await putFile(uploadURL, script, 'image/png')
  t.equal(disguised.status, 415, 'not an image inside')
  t.equal(((await disguised.json()) as ErrorBody).error.message, 'Please select only image files')
  for (const brands of ['heic\0\0\0\0mif1heic', 'mif1\0\0\0\0miafMiHB', 'hevc\0\0\0\0msf1hevc']) {
    const phone = await putFile(uploadURL, Buffer.from(`\0\0\0\u0018ftyp${brands}`, 'latin1'), 'image/heic')
    t.match(await phone.json(), { error: { message: /Save the picture as a JPG/ } }, brands)
  }
  const bound = await allowUpload(seller, { contentType: 'image/png', bytes: 10 })
  t.equal((await putFile(bound.uploadURL, photo, 'image/jpeg')).status, 415, 'another type than agreed')
  t.equal((await putFile(bound.uploadURL, photo, 'image/png')).status, 413, 'larger than agreed')
  const states = await server.ctx.db.selectFrom('objects').select('state').distinct().execute()
  t.same(states, [{ state: 'awaited' }], 'nothing was kept')
})

t.test('marks a broken picture as failed, tells the owner why, and removes it from its post', async (t) => {
  const { signIn, server } = app
  const [seller, other] = [await signIn('Webb Bros'), await signIn('Boyle Motor')]
  const whole = await aPhoto(800, 600)
  const png = await sharp(await aPhoto(80, 60))
    .png()
    .toBuffer()
  const cutOff = [whole.subarray(0, whole.length - 400), png.subarray(0, png.length - 60)]
  for (const content of cutOff) {
    const { uploadURL, objectId } = await allowUpload(seller)
    const postId = await publish(seller)
    // The photo is added while the file is being processed.
    const photo = { postId, position: 0, url: `/api/objects/${objectId}` }
    await server.ctx.db.insertInto('photos').values(photo).execute()
    t.equal((await putFile(uploadURL, content)).status, 200)
    t.match(await settled(seller, objectId), { state: 'failed', error: 'This picture could not be read' })
    t.equal((await other.get(`/api/objects/${objectId}/status`)).status, 404, 'no other dealer receives it')
    t.match((await other.get(`/api/inventory/${postId}`)).body, { photoUrls: [] })
    const { items } = (await seller.get<NotificationsPage>('/api/notifications')).body
    t.match(items[0], { kind: 'unreadable', path: `/post/${postId}` })
  }
})

t.test('removes a picture or link that failed from its post and tells the dealer', async (t) => {
  const { db, transact } = app.server.ctx
  const seller = await app.signIn('Webb Bros')
  const postId = await publish(seller)
  for (const name of ['object.process', 'object.fetch'] as const) {
    const { objectId } = await allowUpload(seller)
    const url = `/api/objects/${objectId}`
    await db.insertInto('photos').values({ postId, position: 0, url }).execute()
    const commentId = (await seller.post<Comment>(`/api/inventory/${postId}/comments`, { content: name })).body.id
    await db.updateTable('comments').set({ attachmentUrl: url }).where('id', '=', commentId).execute()
    const tab = await seller.live()
    const definition = jobHandlers[name]
    await transact(async (tx, emit) => 'gaveUp' in definition && definition.gaveUp?.(tx, emit, { objectId }, 'away'))
    t.match(await tab.nextEvent('object.changed', ({ state }) => state === 'failed'), { objectId })
    const { body } = await seller.get<PostDetail>(`/api/inventory/${postId}`)
    t.match(body, { photoUrls: [] })
    t.equal(body.comments.find(({ id }) => id === commentId)?.attachment?.state, 'failed')
    const { items } = (await seller.get<NotificationsPage>('/api/notifications')).body
    t.match(items[0], { kind: 'unreadable', path: `/post/${postId}` })
  }
})

t.test("shows a comment's picture as processing, then ready or failed, and lets its author remove it", async (t) => {
  const { signIn, server } = app
  const [seller, author] = [await signIn('Webb Bros'), await signIn('Boyle Motor')]
  const postId = await publish(seller)
  const reader = await seller.live()
  await reader.view({ kind: 'post', id: postId, on: true })
  const path = `/api/inventory/${postId}/comments`
  const whole = await aPhoto(800, 600)
  const { uploadURL, objectId } = await allowUpload(author, { kind: 'attachment' })
  const attachmentUrl = `/api/objects/${objectId}`
  // The comment is posted while its attachment is being processed.
  const comment = { postId, dealerId: author.id, content: 'The dent', attachmentUrl, attachmentName: 'dent.jpg' }
  await server.ctx.db.insertInto('comments').values(comment).execute()
  t.equal((await putFile(uploadURL, whole.subarray(0, whole.length - 400))).status, 200)
  const failed = await reader.nextEvent('post.comment', (event) => event.comment.attachment?.state === 'failed')
  t.match(failed.comment, { content: 'The dent', attachment: { name: 'dent.jpg' } })
  const remove = (caller: Caller) => caller.delete(`${path}/${failed.comment.id}/attachment`)
  t.equal((await remove(seller)).status, 403, 'other dealers cannot remove it')
  t.equal((await remove(author)).status, 204)
  const after = await reader.nextEvent('post.comment', (event) => event.comment.attachment === null)
  t.match(after.comment, { content: 'The dent', attachmentUrl: null })
  t.equal((await remove(author)).status, 204, 'removing it twice is harmless')

  const url = await upload(author, whole)
  const { body } = await author.post<Comment>(path, {
    content: 'Better',
    attachmentUrl: url,
    attachmentName: 'ok.jpg',
  })
  t.match(body.attachment, { name: 'ok.jpg', state: 'ready', isPicture: true })
  const { comments } = (await seller.get<PostDetail>(`/api/inventory/${postId}`)).body
  t.same(comments, [after.comment, body], 'the events match the fetched comments')
})

t.test('deletes an unused upload with its files after a day and keeps used ones', async (t) => {
  const [seller, other] = [await app.signIn(), await app.signIn()]
  const photo = await aPhoto(40, 30)
  const [posted, sent, unused] = [await upload(seller, photo), await upload(seller, photo), await upload(seller, photo)]
  await seller.post('/api/inventory', aPost({ photoUrls: [posted] }))
  const chatId = await openChat(seller, other)
  const send = (from: Caller, attachmentUrl: string) =>
    from.post<Message>('/api/messages', { chatId, content: '', attachmentUrl })
  const { body: message } = await send(seller, sent)
  t.equal(message.attachmentUrl, new URL(sent).pathname)
  t.equal((await send(other, unused)).status, 400, "nobody can send another dealer's upload")
  t.equal((await send(seller, 'javascript:alert(1)')).status, 400)
  t.equal((await send(seller, 'https://elsewhere.example/pixel.png')).status, 400)
  const dayAgo = new Date(Date.now() - 25 * 3_600_000)
  await app.server.ctx.db.updateTable('objects').set({ createdAt: dayAgo }).execute()
  await sweepOrphans(app.server.ctx)
  for (const url of [posted, sent]) t.equal((await loadPicture(app, other, new URL(url).pathname)).status, 200)
  t.equal((await loadPicture(app, seller, new URL(unused).pathname)).status, 404)
  const id = new URL(unused).pathname.split('/').at(-1) ?? ''
  await until('its files to go', async () => (await app.server.ctx.storage.read(`${id}/40.webp`)) === undefined)
})

t.test('keeps a photo that another post uses while it leaves one', async (t) => {
  const seller = await app.signIn('Webb Bros')
  const url = new URL(await upload(seller, await aPhoto(40, 30))).pathname
  const [one, other] = [await publish(seller, { photoUrls: [url] }), await publish(seller)]
  const [taking, watcher] = [
    await connectAlone(app.services.DATABASE_URL),
    await connectAlone(app.services.DATABASE_URL),
  ]
  t.teardown(() => Promise.all([taking.end(), watcher.end()]))
  await taking.query('begin')
  await taking.query('update objects set attached_at = now() where id = $1', [url.slice(-36)])
  await taking.query('insert into photos (post_id, position, url) values ($1, 0, $2)', [other, url])
  const leaving = seller.patch(`/api/inventory/${one}`, { photoUrls: [] })
  await untilBlocked(watcher, '%"objects"%')
  await taking.query('commit')
  t.equal((await leaving).status, 200)
  const object = await app.server.ctx.db.selectFrom('objects').select('attachedAt').executeTakeFirstOrThrow()
  t.not(object.attachedAt, null)
})

t.test('requires a signed-in dealer to start an upload', async (t) => {
  const { visitor } = app
  t.equal((await visitor.post('/api/objects/upload')).status, 401)
})
