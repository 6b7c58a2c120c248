import pg from 'pg'
import t from 'tap'
import type { Comment } from '#shared/schemas/comments.ts'
import type { NotificationsPage } from '#shared/schemas/notifications.ts'
import type { PostDetail } from '#shared/schemas/posts.ts'
import { startApp } from '../../support/app.ts'
import { publish } from '../../support/factories.ts'
import { untilBlocked } from '../../support/locks.ts'
import { until } from '../../support/wait.ts'

const app = await startApp(t)
t.beforeEach(app.startOver)

t.test('lets authors edit a comment for 15 minutes and delete it, live for viewers', async (t) => {
  const [seller, author, other] = [await app.signIn('Seller'), await app.signIn('Author'), await app.signIn('Other')]
  const postId = await publish(seller)
  const path = `/api/inventory/${postId}/comments`
  const { body } = await author.post<Comment>(path, { content: 'Is it thre?' })
  t.equal(body.editedAt, undefined)
  const tab = await other.live()
  await tab.view({ kind: 'post', id: postId, on: true })
  const edit = (by: typeof author, content: string) => by.patch<Comment>(`${path}/${body.id}`, { content })
  t.equal((await edit(other, 'Mine now')).status, 403)
  t.equal((await edit(app.visitor, 'Mine now')).status, 401)
  t.equal((await edit(author, '  ')).status, 400)
  const edited = await edit(author, ' Is it there? ')
  t.match(edited, { status: 200, body: { content: 'Is it there?', editedAt: String } })
  const heard = await tab.nextEvent('post.comment')
  t.match(heard, { comment: { id: body.id, content: 'Is it there?', editedAt: edited.body.editedAt }, commentCount: 1 })
  t.match((await other.get<PostDetail>(`/api/inventory/${postId}`)).body, {
    version: heard.version,
    comments: [{ content: 'Is it there?' }],
  })
  const { db } = app.server.ctx
  await db
    .updateTable('comments')
    .set({ createdAt: new Date(Date.now() - 15 * 60_000) })
    .where('id', '=', body.id)
    .execute()
  t.match(await edit(author, 'Too late'), { status: 409, body: { error: { message: /15 minutes/ } } })
  const remove = (by: typeof author) => by.delete(`${path}/${body.id}`)
  t.equal((await remove(other)).status, 403)
  t.equal((await remove(seller)).status, 403, 'and not the seller of the post')
  t.equal((await remove(author)).status, 204)
  await tab.nextEvent('post.edited')
  t.match((await other.get<PostDetail>(`/api/inventory/${postId}`)).body, { comments: [], commentCount: 0 })
  t.equal((await remove(author)).status, 404)
  t.equal((await edit(author, 'Back')).status, 404)
})

t.test("updates and removes the seller's notification with its comment", async (t) => {
  const [seller, author] = [await app.signIn('Seller'), await app.signIn('Author')]
  const admin = await app.signIn('Lanewire', { role: 'admin' })
  const postId = await publish(seller)
  const path = `/api/inventory/${postId}/comments`
  const told = async () => (await seller.get<NotificationsPage>('/api/notifications')).body
  const say = async (content: string) => {
    const { id } = (await author.post<Comment>(path, { content })).body
    await until('the notice', async () => (await told()).items.some(({ body }) => body === content))
    return id
  }
  const [first, second] = [await say('Call me at 555-0100'), await say('Liar')]
  const tab = await seller.live()
  await author.patch(`${path}/${first}`, { content: 'Is it there?' })
  await tab.nextEvent('inbox.changed', ({ what }) => what === 'notification')
  t.match((await told()).items, [{ body: 'Liar' }, { body: 'Is it there?' }])
  await seller.post('/api/reports', { kind: 'comment', subjectId: second, reason: 'abuse' })
  const decide = { act: 'hide', reason: 'Name-calling' }
  t.equal((await admin.post(`/api/admin/moderation/comment/${second}`, decide)).status, 200)
  t.match(await told(), { unread: 1, items: [{ body: 'Is it there?' }] })
  t.equal((await author.delete(`${path}/${first}`)).status, 204)
  t.match(await told(), { unread: 0, items: [] })
  const notices = app.server.ctx.db.selectFrom('notifications').where('dealerId', '=', seller.id)
  const waiting = await notices.select('id').where('readAt', 'is', null).execute()
  t.same(waiting, [], 'no email about it is pending')
})

t.test('sends no notification for a comment deleted meanwhile', async (t) => {
  const [seller, author] = [await app.signIn('Seller'), await app.signIn('Author')]
  const path = `/api/inventory/${await publish(seller)}/comments`
  const watcher = new pg.Client({ connectionString: app.services['DATABASE_URL'] })
  await watcher.connect()
  t.teardown(() => watcher.end())
  const deleted = await app.server.ctx.db.transaction().execute(async (tx) => {
    await tx.selectFrom('dealers').select('id').where('id', '=', seller.id).forUpdate().execute()
    const { body } = await author.post<Comment>(path, { content: 'Call me at 555-0100' })
    await untilBlocked(watcher, 'insert into "notifications"%')
    const call = author.delete(`${path}/${body.id}`)
    await Promise.race([call, untilBlocked(watcher, 'update "comments"%')])
    return { call }
  })
  t.equal((await deleted.call).status, 204)
  const row = await until('the notice', () =>
    app.server.ctx.db
      .selectFrom('notifications')
      .select(['body', 'inApp', 'readAt'])
      .where('dealerId', '=', seller.id)
      .executeTakeFirst(),
  )
  t.match(row, { body: '', inApp: false, readAt: Date }, 'it is neither in the list nor in an email')
})

t.test('refuses reactions to your own post', async (t) => {
  const [seller, other] = [await app.signIn('Seller'), await app.signIn('Other')]
  const postId = await publish(seller)
  for (const kind of ['like', 'info']) {
    const path = `/api/inventory/${postId}/reactions/${kind}`
    t.equal((await seller.put(path)).status, 403)
    t.equal((await seller.delete(path)).status, 204, 'an earlier reaction can be removed')
    t.equal((await other.put(path)).status, 204)
  }
  t.match((await other.get<PostDetail>(`/api/inventory/${postId}`)).body, { likeCount: 1, infoCount: 1 })
})
