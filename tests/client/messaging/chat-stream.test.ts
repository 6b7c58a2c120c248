import t from 'tap'
import {
  addEarlier,
  catchUp,
  hasGap,
  mergePage,
  messagesOf,
  openStream,
  receive,
  reload,
  trim,
} from '#client/features/messaging/sync/chat-stream.ts'
import type { ChatMessageEvent } from '#shared/events/messaging.ts'
import { holds } from '#tests/support/properties.ts'
import { converges, eventOf, messages } from '#tests/support/stream-histories.ts'

const seqs = (stream: ReturnType<typeof openStream>) => messagesOf(stream).map(({ seq }) => seq)

t.test('catches up to the state of a fresh load after lost, repeated and reordered events', (t) => holds(t, converges))

t.test('holds back an event beyond a gap until the gap is filled', async (t) => {
  let stream = openStream(messages(1, 3), 3)
  stream = receive(stream, eventOf(6))
  t.same(seqs(stream), [1, 2, 3])
  t.equal(hasGap(stream), true)
  stream = receive(receive(stream, eventOf(5)), eventOf(4))
  t.same(seqs(stream), [1, 2, 3, 4, 5, 6])
  t.equal(hasGap(stream), false)
  t.equal(receive(stream, eventOf(2)), stream, 'an old event changes nothing at all')
})

t.test('replaces a stream that is far behind on reload and keeps newer messages', async (t) => {
  const behind = receive(openStream(messages(1, 5), 5), eventOf(2_001))
  const stream = reload(behind, { messages: messages(1_981, 2_000), rev: 2_000 })
  t.same(
    seqs(stream),
    messages(1_981, 2_001).map(({ seq }) => seq),
  )
  t.equal(stream.cursor, 2_001)
  const late = reload(stream, { messages: messages(1_971, 1_990), rev: 1_990 })
  t.equal(late.cursor, 2_001, 'a response older than the events undoes nothing')
})

t.test("joins a list's latest messages if they overlap, and replaces the stream otherwise", async (t) => {
  const held = openStream(messages(1, 20), 20)
  t.same(seqs(mergePage(held, { messages: messages(25, 25), rev: 25 })), [25])
  const joined = mergePage(held, { messages: messages(21, 22), rev: 22 })
  t.equal(seqs(joined).length, 22)
  t.equal(joined.cursor, 22)
  t.equal(
    seqs(mergePage(held, { messages: messages(20, 20), rev: 20 })).length,
    20,
    'a row that arrives twice removes none',
  )
})

t.test('limits what it holds beyond an unfilled gap and still catches up completely', async (t) => {
  let stream = openStream([], 0)
  for (let rev = 2; rev <= 1_000; rev += 1) stream = receive(stream, eventOf(rev))
  t.ok(Object.keys(stream.held).length <= 200)
  stream = catchUp(stream, { messages: messages(1, 1_000), rev: 1_000 })
  t.equal(seqs(stream).length, 1_000)
  t.equal(hasGap(stream), false)
})

t.test('prepends older pages and keeps the newest messages when trimming', async (t) => {
  const stream = addEarlier(openStream(messages(21, 40), 40), { messages: messages(1, 20), more: false })
  t.same(
    seqs(stream),
    messages(1, 40).map(({ seq }) => seq),
  )
  t.same(
    seqs(trim(stream, 20)),
    messages(21, 40).map(({ seq }) => seq),
  )
  t.equal(trim(stream, 20).cursor, 40)
})

t.test('applies newer versions of loaded messages only, and holds versions of others', async (t) => {
  const changed = (seq: number, rev: number): ChatMessageEvent => {
    const event = eventOf(seq)
    return { ...event, rev, message: { ...event.message, rev, content: '', hidden: true } }
  }
  const stream = receive(receive(openStream(messages(5, 9), 9), changed(7, 10)), changed(2, 11))
  t.equal(stream.cursor, 11)
  t.same(seqs(stream), [5, 6, 7, 8, 9], 'the second message is not loaded, without a gap')
  t.match(messagesOf(stream)[2], { seq: 7, hidden: true })
  const late = catchUp(stream, { messages: messages(6, 8), rev: 9 })
  t.match(messagesOf(late)[2], { seq: 7, hidden: true }, 'a page read before the change')
  t.match(messagesOf(catchUp(openStream([], 0), { messages: [eventOf(2).message, changed(1, 3).message], rev: 3 })), [
    { seq: 1, hidden: true },
    { seq: 2 },
  ])
})
