import t from 'tap'
import { startApp } from '#tests/support/app.ts'
import { comment, commentAtOnce, commentsReceived, watch } from '#tests/support/crowd.ts'
import { publish } from '#tests/support/factories.ts'
import { until } from '#tests/support/wait.ts'

// crowds.full.test.ts tests the batching of events. These tests check that batched events survive the end of a room or its node.

const one = await startApp(t)

t.test('sends the first comments at once and batches later ones in order', async (t) => {
  const [seller, reader] = [await one.signIn('Seller'), await one.signIn('Reader')]
  // Pause the queue. Otherwise, the summary and the viewer counts would be the first two events of the room.
  const { default: queue } = one.server.ctx.queues
  await queue.pause()
  t.teardown(() => queue.resume())
  const id = await publish(seller)
  const { live } = await watch(reader, id)
  const { body: first } = await comment(seller, id, 'First')
  t.same(
    (await live.receivedAfterRoundTrip('post.comment')).map((event) => event.comment.id),
    [first.id],
    'before the response',
  )
  const { body: second } = await comment(seller, id, 'Second')
  await until('the second comment', () => commentsReceived(live).length > 1)
  t.same(commentsReceived(live), [first.id, second.id])
  const ids = await commentAtOnce(t, [seller], id, 30)
  await until('the other comments', () => commentsReceived(live).length >= ids.length)
  const versions = live.heard.flatMap(({ name, event }) =>
    name === 'post.comment' ? [(event as { version: number }).version] : [],
  )
  t.same(
    versions,
    versions.map((_version, index) => (versions[0] ?? 0) + index),
    'versions of one node are in order',
  )
})

t.test('publishes pending events of a room before the removal of its post', async (t) => {
  const [seller, reader] = [await one.signIn('Seller'), await one.signIn('Reader')]
  const id = await publish(seller)
  const { live } = await watch(reader, id)
  const ids = await commentAtOnce(t, [seller, reader], id, 20)
  t.equal((await seller.delete(`/api/inventory/${id}`)).status, 204)
  await live.nextEvent('post.removed')
  const names = live.heard.map(({ name }) => name)
  t.same(commentsReceived(live).toSorted(), ids)
  t.ok(names.lastIndexOf('post.comment') < names.indexOf('post.removed'))
})

t.test('sends pending events of a room before the node stops', async (t) => {
  const leaving = await startApp(t, {}, one.services)
  const [seller, reader] = [await one.signIn('Seller'), await one.signIn('Reader')]
  const id = await publish(seller)
  const { live } = await watch(one.on(leaving, reader), id)
  const ids = await commentAtOnce(t, [one.on(leaving, seller), one.on(leaving, reader)], id, 20)
  const gone = new Promise<string>((resolve) => live.socket.once('disconnect', resolve))
  void leaving.server.stop('the test')
  await gone
  t.same(commentsReceived(live).toSorted(), ids)
  live.close()
})
