import fc from 'fast-check'
import { catchUp, hasGap, messagesOf, openStream, receive } from '#client/features/messaging/sync/chat-stream.ts'
import type { ChatMessageEvent } from '#shared/events/messaging.ts'

const idOf = (n: number) => `0190a5d0-0000-7000-8000-${String(n).padStart(12, '0')}`

export const eventOf = (rev: number): ChatMessageEvent => ({
  chatId: idOf(0),
  rev,
  seq: rev,
  message: {
    id: idOf(rev),
    seq: rev,
    rev,
    senderId: idOf(rev % 2),
    content: `Message ${rev}`,
    createdAt: new Date(rev * 1_000).toISOString(),
    clientId: idOf(rev),
    attachmentUrl: null,
    attachmentName: null,
  },
})
export const messages = (from: number, to: number) =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, n) => eventOf(from + n).message)

const history = fc.integer({ min: 1, max: 60 }).chain((total) =>
  fc.record({
    total: fc.constant(total),
    loaded: fc.integer({ min: 0, max: total }),
    // Revs of the events in order of arrival. Events may be lost, repeated or reordered, and a page loads in between.
    heard: fc.array(fc.integer({ min: 1, max: total }), { maxLength: 3 * total }),
    pageAt: fc.integer({ min: 0, max: 3 * total }),
    // The server reads the page's rev before its rows, so the rows may be newer than the rev.
    pageRev: fc.integer({ min: 0, max: total }),
    rowsBeyond: fc.integer({ min: 0, max: 3 }),
  }),
)
/** Property: after events were reordered, repeated or lost, catching up gives the same result as a fresh load. */
export const converges = fc.property(history, ({ total, loaded, heard, pageAt, pageRev, rowsBeyond }) => {
  let stream = openStream(messages(1, loaded), loaded)
  for (const [index, rev] of heard.entries()) {
    if (index === pageAt)
      stream = catchUp(stream, {
        messages: messages(stream.cursor + 1, Math.min(total, pageRev + rowsBeyond)),
        rev: pageRev,
      })
    const before = stream.cursor
    stream = receive(stream, eventOf(rev))
    if (stream.cursor < before) return false
    // No message up to the cursor may be missing.
    if (messages(1, stream.cursor).some(({ id }) => stream.byId[id] === undefined)) return false
  }
  stream = catchUp(stream, { messages: messages(stream.cursor + 1, total), rev: total })
  const fresh = openStream(messages(1, total), total)
  return !hasGap(stream) && JSON.stringify(messagesOf(stream)) === JSON.stringify(messagesOf(fresh))
})
