import { randomUUID } from 'node:crypto'
import t from 'tap'
import type { DealDetail, Offer } from '#shared/schemas/deals.ts'
import type { Message } from '#shared/schemas/messaging.ts'
import type { CasesPage } from '#shared/schemas/moderation.ts'
import type { PostDetail } from '#shared/schemas/posts.ts'
import type { Comment } from '#shared/schemas/comments.ts'
import { sweepOrphans } from '#server/features/uploads/uploads.jobs.ts'
import { startApp, type Caller, type TestApp } from '#tests/support/app.ts'
import { openChat } from '#tests/support/chat.ts'
import { aPost, aVehicle, publish } from '#tests/support/factories.ts'
import { aPhoto, allowUpload, loadPicture, putFile, sendAvatar, upload } from '#tests/support/uploads.ts'
import { until } from '#tests/support/wait.ts'
import { acceptOffer } from '#tests/support/deals.ts'

const app = await startApp(t)

const nothing = '/api/objects/01990000-0000-7000-8000-000000000000'
const pathOf = (url: string) => new URL(url).pathname

/** Signs in everyone except the two parties, to check their access to a file. */
async function theRest(app: TestApp) {
  const [third, ops, admin] = [
    await app.signIn('Third Cars'),
    await app.signIn('Operations', { role: 'ops' }),
    await app.signIn('Lanewire', { role: 'admin' }),
  ]
  const answers = async (path: string, callers: Caller[]) =>
    Promise.all(callers.map(async (caller) => (await loadPicture(app, caller, path)).status))
  return { third, ops, admin, answers }
}

const report = (by: Caller, kind: string, subjectId: string) =>
  by.post('/api/reports', { kind, subjectId, reason: 'fraud', details: 'Look at the picture' })
const decide = (by: Caller, kind: string, id: string, act: string) =>
  by.post(`/api/admin/moderation/${kind}/${id}`, { act, reason: 'It is not the car of the post' })

t.test("shows a message's file to its two dealers, and to moderators once reported", async (t) => {
  const [seller, buyer] = [await app.signIn('Webb Bros'), await app.signIn('Boyle Motor')]
  const { third, ops, admin, answers } = await theRest(app)
  const url = await upload(seller, await aPhoto(400, 300))
  const path = pathOf(url)
  t.same(await answers(path, [seller, buyer]), [200, 404], 'only its owner sees it before it is sent')
  const chatId = await openChat(seller, buyer)
  const sent = await seller.post<Message>('/api/messages', { chatId, content: '', attachmentUrl: url })
  t.equal(sent.body.attachmentUrl, path)
  t.same(await answers(path, [seller, buyer, third, ops, admin]), [200, 200, 404, 404, 404])
  t.equal((await loadPicture(app, app.visitor, path)).status, 401)
  const [theirs, none] = [await third.get(path), await third.get(nothing)]
  t.equal(theirs.headers.get('cache-control'), 'no-store')
  t.same(
    [theirs.status, JSON.stringify(theirs.body).replace(/"requestId":"[^"]*"/, '')],
    [none.status, JSON.stringify(none.body).replace(/"requestId":"[^"]*"/, '')],
    'forbidden and missing files have the same answer',
  )
  t.equal((await third.get(`${path}/status`)).status, 404)
  t.equal((await buyer.get(`${path}/status`)).status, 200)
  const cached = (await loadPicture(app, buyer, path)).headers.get('cache-control') ?? ''
  t.equal(cached, 'private, no-cache')
  const etag = (await loadPicture(app, buyer, path)).headers.get('etag') ?? ''
  t.equal((await buyer.get(path, undefined, { 'if-none-match': etag })).status, 304)
  t.equal((await third.get(path, undefined, { 'if-none-match': etag })).status, 404, 'a known ETag gives no access')

  await buyer.patch(`/api/chats/${chatId}`, { blocked: true })
  t.same(await answers(path, [seller, buyer]), [200, 200], 'both dealers keep the chat after a block')

  await report(buyer, 'message', sent.body.id)
  t.same(await answers(path, [admin, ops, third]), [200, 404, 404])
  const { cases } = (await admin.get<CasesPage>('/api/admin/moderation')).body
  t.match(cases, [{ kind: 'message', attachment: { url: path, isPicture: true } }], 'and the case shows it')
  await decide(admin, 'message', sent.body.id, 'hide')
  t.same(await answers(path, [buyer, admin]), [404, 200], 'hidden with its message')
  await decide(admin, 'message', sent.body.id, 'restore')
  t.same(await answers(path, [buyer, third]), [200, 404])
})

t.test('shows a photo to every signed-in dealer while its post shows it', async (t) => {
  const [seller, reader] = [await app.signIn('Webb Bros'), await app.signIn('Boyle Motor')]
  const { ops, admin, answers } = await theRest(app)
  const [kept, dropped, ofVehicle] = [
    await upload(seller, await aPhoto(400, 300)),
    await upload(seller, await aPhoto(400, 300)),
    await upload(seller, await aPhoto(400, 300)),
  ].map(pathOf) as [string, string, string]
  const all = [seller, reader, ops, admin]
  for (const path of [kept, dropped]) t.same(await answers(path, all), [200, 404, 404, 404], 'a draft’s photo')
  const vehicles = [aVehicle, { ...aVehicle, vin: '1FTFW1E59NKD69096', photos: [ofVehicle] }]
  const post = aPost({ type: 'multiple', photoUrls: [kept, dropped], vehicles })
  const { body } = await seller.post<PostDetail>('/api/inventory', post)
  for (const path of body.photoUrls) t.same(await answers(path, all), [200, 200, 200, 200])

  await seller.patch(`/api/inventory/${body.id}`, { photoUrls: [kept, ofVehicle] })
  t.same(await answers(dropped, all), [200, 404, 404, 404], 'taken out of the post')
  await seller.patch(`/api/inventory/${body.id}`, { vehicles: [{ ...aVehicle, id: body.vehicles[0]?.id }] })
  t.same(await answers(ofVehicle, all), [200, 404, 404, 404], 'deleted with its vehicle')
  const dayAgo = new Date(Date.now() - 25 * 3_600_000)
  await app.server.ctx.db.updateTable('objects').set({ createdAt: dayAgo }).execute()
  await sweepOrphans(app.server.ctx)
  t.same(await answers(dropped, [seller]), [404], 'and it is finally deleted, like')
  t.same(await answers(ofVehicle, [seller]), [404], "the vehicle's photo")
  t.same(await answers(kept, all), [200, 200, 200, 200])

  await seller.patch(`/api/inventory/${body.id}`, { status: 'sold' })
  t.same(await answers(kept, all), [200, 200, 200, 200], 'a sold post still exists')
  await report(reader, 'post', body.id)
  await decide(admin, 'post', body.id, 'hide')
  t.same(await answers(kept, all), [200, 404, 404, 200], 'hidden: only for the seller and moderators')
  await decide(admin, 'post', body.id, 'restore')
  t.same(await answers(kept, all), [200, 200, 200, 200])
  await seller.delete(`/api/inventory/${body.id}`)
  t.same(await answers(kept, all), [200, 404, 404, 200], 'moderators can still see a reported file after its deletion')
})

t.test("applies the access of comment and post to a comment's file", async (t) => {
  const [seller, author, reader] = [
    await app.signIn('Webb Bros'),
    await app.signIn('Boyle Motor'),
    await app.signIn('Parkway'),
  ]
  const { admin, answers } = await theRest(app)
  const all = [seller, author, reader, admin]
  const postId = await publish(seller)
  const { uploadURL } = await allowUpload(author, { kind: 'attachment' })
  await putFile(uploadURL, Buffer.from('%PDF-1.7 the carfax'), 'application/pdf')
  const path = pathOf(uploadURL)
  t.same(await answers(path, all), [404, 200, 404, 404])
  const { body: comment } = await author.post<Comment>(`/api/inventory/${postId}/comments`, {
    content: 'The report',
    attachmentUrl: uploadURL,
  })
  t.same(await answers(path, all), [200, 200, 200, 200])
  await report(reader, 'comment', comment.id)
  await decide(admin, 'comment', comment.id, 'hide')
  t.same(await answers(path, all), [404, 200, 404, 200])
  await decide(admin, 'comment', comment.id, 'restore')
  await seller.delete(`/api/inventory/${postId}`)
  t.same(await answers(path, all), [404, 200, 404, 200], 'deleted with the post')

  const other = await publish(seller)
  await author.post<Comment>(`/api/inventory/${other}/comments`, { content: 'Again', attachmentUrl: uploadURL })
  t.same(await answers(path, all), [200, 200, 200, 200], 'a file of two objects is visible to readers of either')
  const { comments } = (await author.get<PostDetail>(`/api/inventory/${other}`)).body
  const attachment = `/api/inventory/${other}/comments/${comments[0]?.id}/attachment`
  t.equal((await app.visitor.delete(attachment)).status, 401)
  for (const dealer of [seller, reader]) t.equal((await dealer.delete(attachment)).status, 403, 'not its author')
  t.same(await answers(path, all), [200, 200, 200, 200])
  await author.delete(attachment)
  t.same(await answers(path, all), [404, 200, 404, 200])
})

t.test('shows a sheet to its owner and a document to its parties, even after the deal', async (t) => {
  const plan = 'premium'
  const [seller, buyer] = [await app.signIn('Webb Bros', { plan }), await app.signIn('Boyle Motor', { plan })]
  const { third, ops, admin, answers } = await theRest(app)
  const { uploadURL } = await allowUpload(seller, { kind: 'sheet' })
  await putFile(uploadURL, Buffer.from('VIN,Make\n1FTFW1E53MFA48213,Ford\n'), 'text/csv')
  t.same(await answers(pathOf(uploadURL), [seller, buyer, ops, admin]), [200, 404, 404, 404])

  const postId = await publish(seller)
  const { vehicles } = (await buyer.get<PostDetail>(`/api/inventory/${postId}`)).body
  const offer = { vehicleId: vehicles[0]?.id, amount: 30_000 }
  const { id } = (await buyer.post<Offer>(`/api/inventory/${postId}/offers`, offer)).body
  const dealId = (await acceptOffer(seller, id)).body.dealId ?? ''
  await seller.post(`/api/deal/${dealId}/approve`)
  const paper = await until('the paper', async () => {
    const { documents } = (await buyer.get<DealDetail>(`/api/deal/${dealId}`)).body
    return documents.find(({ ready }) => ready)
  })
  const path = `/api/deal/${dealId}/documents/${paper.id}`
  const all = [seller, buyer, admin, third, ops]
  t.same(await answers(path, all), [200, 200, 200, 404, 404])
  await buyer.post(`/api/deal/${dealId}/cancel`)
  t.same(await answers(path, all), [200, 200, 200, 404, 404])
  t.match((await loadPicture(app, buyer, path)).headers.get('cache-control'), /^private/)
})

t.test('shows an avatar to signed-in dealers while it is used, and deletes it with its dealer', async (t) => {
  const [ann, ben] = [await app.signIn('Ann Autos'), await app.signIn('Ben Motors')]
  const { admin, ops, answers } = await theRest(app)
  const first = await sendAvatar(app, ann, await aPhoto(400, 300))
  t.same(await answers(first, [ben, ops, admin]), [200, 200, 200])
  t.equal((await loadPicture(app, app.visitor, first)).status, 401)
  const second = await sendAvatar(app, ann, await aPhoto(300, 400))
  t.same(await answers(first, [ann, ben]), [200, 404], 'replaced')
  t.same(await answers(second, [ann, ben]), [200, 200])

  const photo = await upload(ann, await aPhoto(400, 300))
  await ann.post('/api/inventory', aPost({ photoUrls: [photo] }))
  const sent = await upload(ann, await aPhoto(400, 300))
  const chatId = await openChat(ann, ben)
  await ann.post('/api/messages', { chatId, content: '', attachmentUrl: sent })
  const paths = [second, pathOf(photo), pathOf(sent)]
  const shown = () => Promise.all(paths.map(async (path) => (await answers(path, [ben]))[0]))
  t.same(await shown(), [200, 200, 200])
  await admin.post(`/api/admin/users/${ann.id}/suspend`, { reason: 'Odometer fraud', until: null })
  t.same(await shown(), [200, 200, 200], 'a suspended dealer’s posts and messages stay, and so do their files')
  t.equal((await loadPicture(app, ann, second)).status, 401)
  await admin.delete(`/api/admin/users/${ann.id}`, { reason: 'Asked for it' })
  t.same(await shown(), [404, 404, 200], 'a deleted dealer’s messages stay with their recipients')
})

t.test('refuses to attach an upload to content of another dealer', async (t) => {
  const [owner, thief] = [await app.signIn('Webb Bros'), await app.signIn('Boyle Motor')]
  const url = await upload(owner, await aPhoto(400, 300))
  const accomplice = await app.signIn('Parkway')
  const chatId = await openChat(thief, accomplice)
  const message = { chatId, content: '', attachmentUrl: url }
  t.equal((await thief.post('/api/messages', message, { 'idempotency-key': randomUUID() })).status, 400)
  t.equal((await thief.post('/api/inventory', aPost({ photoUrls: [url] }))).status, 400)
  t.same(
    await Promise.all([thief, accomplice].map(async (by) => (await loadPicture(app, by, pathOf(url))).status)),
    [404, 404],
  )
})
