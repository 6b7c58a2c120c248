import { randomUUID } from 'node:crypto'
import t from 'tap'
import type { Dashboard } from '#shared/schemas/dashboard.ts'
import type { Post, PostDetail } from '#shared/schemas/posts.ts'
import { createViewCounter, waitingMax } from '#server/features/posts/view-counter.ts'
import { type Caller, startApp } from '../../support/app.ts'
import { publish } from '../../support/factories.ts'
import { until } from '../../support/wait.ts'

const app = await startApp(t)
t.beforeEach(app.startOver)

const viewsOf = async (caller: Caller, postId: string) =>
  (await caller.get<PostDetail>(`/api/inventory/${postId}`)).body.viewCount
const impressionsOf = async (seller: Caller) =>
  (await seller.get<Dashboard>('/api/dashboard')).body.activity.postImpressions

t.test('counts no view for ten dealers with the feed open, and one a day for a dealer opening the post', async (t) => {
  const seller = await app.signIn('Seller')
  const postId = await publish(seller)
  const readers = await Promise.all(Array.from({ length: 10 }, (_, n) => app.signIn(`Reader ${n}`)))
  for (const reader of readers) {
    const tab = await reader.live()
    t.match((await reader.get<Post[]>('/api/inventory')).body, [{ id: postId }])
    await tab.view({ kind: 'feed', id: '', on: true })
    await tab.view({ kind: 'post', id: postId, on: true })
    await reader.post('/api/inventory/impressions', { postIds: [postId] })
  }
  await seller.patch(`/api/inventory/${postId}`, { description: 'One owner' })
  // Simulate open cards, which refetch a post after an edit. These reads must not count as views.
  await Promise.all(readers.map((reader) => reader.get(`/api/inventory/${postId}`)))
  const [one, two] = readers as [Caller, Caller]
  for (const opener of [one, one, two, seller]) t.equal((await opener.put(`/api/inventory/${postId}/view`)).status, 204)
  // Views are counted in batches, so any views by the ten readers would be included here.
  const atLeast = (min: number, count: number) => (count >= min ? count : undefined)
  t.equal(await until('the views', async () => atLeast(2, await viewsOf(one, postId))), 2)
  t.equal(await until('the impressions', async () => atLeast(10, await impressionsOf(seller))), 10)
})

t.test('counts views and impressions only of existing posts, by signed-in dealers', async (t) => {
  const seller = await app.signIn('Seller')
  const postId = await publish(seller)
  t.equal((await app.visitor.put(`/api/inventory/${postId}/view`)).status, 401)
  t.equal((await app.visitor.post('/api/inventory/impressions', { postIds: [postId] })).status, 401)
  t.equal((await seller.put('/api/inventory/nothing/view')).status, 400)
  const ids = (length: number) => ({ postIds: Array.from({ length }, () => postId) })
  t.equal((await seller.post('/api/inventory/impressions', ids(0))).status, 400)
  t.equal((await seller.post('/api/inventory/impressions', ids(51))).status, 400)
  const reader = await app.signIn('Reader')
  const gone = '018f0000-0000-7000-8000-000000000001'
  t.equal((await reader.post('/api/inventory/impressions', { postIds: [gone, postId] })).status, 204)
  t.equal((await reader.put(`/api/inventory/${gone}/view`)).status, 204, 'answered like an existing post')
  t.equal(await until('the impression', async () => (await impressionsOf(seller)) || undefined), 1)
  t.equal(await viewsOf(seller, postId), 0)
})

t.test('bounds pending views: skips those above the limit and counts later ones', async (t) => {
  const [seller, reader] = [await app.signIn('Seller'), await app.signIn('Reader')]
  const postId = await publish(seller)
  const views = createViewCounter(app.server.ctx)
  t.teardown(() => views.stop())
  for (let waiting = 0; waiting < waitingMax; waiting += 1) views.countShown(randomUUID(), reader.id)
  views.countShown(postId, reader.id)
  await views.flush()
  t.equal(await impressionsOf(seller), 0)
  views.countShown(postId, reader.id)
  await views.flush()
  t.equal(await impressionsOf(seller), 1)
})
