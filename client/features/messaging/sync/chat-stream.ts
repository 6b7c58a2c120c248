import type { ChatMessageEvent } from '#shared/events/messaging.ts'
import { catchUpMax } from '#shared/limits.ts'
import type { Message, MessagesPage } from '#shared/schemas/messaging.ts'

/**
 * One chat's messages in this tab. All events up to `cursor` have been applied; events after a gap wait in `held`.
 * After a catch-up, the result equals a fresh load, even if events were reordered, repeated or lost.
 */
export interface ChatStream {
  /** The newest messages, by id. Older messages are reloaded when the reader scrolls up. */
  byId: Readonly<Record<string, Message>>
  /** True if the first loaded message is the oldest that exists. Its `seq` can be above 1, because older messages may have been deleted. */
  reachesStart: boolean
  /** The chat revision up to which no event is missing. */
  cursor: number
  held: Readonly<Record<number, ChatMessageEvent>>
}

/** Maximum number of events to hold after a gap. A catch-up also loads the events beyond this limit. */
const heldMax = 200

export function openStream(messages: readonly Message[], rev: number): ChatStream {
  const byId = Object.fromEntries(messages.map((message) => [message.id, message]))
  return { byId, reachesStart: false, cursor: rev, held: {} }
}

export function messagesOf(stream: ChatStream): Message[] {
  return Object.values(stream.byId).toSorted((a, b) => a.seq - b.seq)
}

export function hasEarlier(stream: ChatStream): boolean {
  const [first] = messagesOf(stream)
  return first !== undefined && first.seq > 1 && !stream.reachesStart
}

export const hasGap = (stream: ChatStream): boolean => Object.keys(stream.held).length > 0

/** True if the stream is so far behind that the newest page replaces it, instead of fetching every change. */
export const isFarBehind = (stream: ChatStream, rev: number): boolean => rev - stream.cursor > catchUpMax

/** Adds or updates a message. Keeps the newer of two copies. Ignores messages older than all loaded ones. */
function upsert(byId: Record<string, Message>, message: Message): void {
  const known = byId[message.id]
  const isAbove = () => Object.values(byId).some(({ seq }) => seq < message.seq)
  const isNews = known === undefined ? Object.keys(byId).length === 0 || isAbove() : message.rev >= known.rev
  if (isNews) byId[message.id] = message
}

function drain(stream: ChatStream): ChatStream {
  let { cursor } = stream
  const byId = { ...stream.byId }
  const held = { ...stream.held }
  for (const key of Object.keys(held).map(Number)) if (key <= cursor) delete held[key]
  for (let next = held[cursor + 1]; next !== undefined; next = held[cursor + 1]) {
    upsert(byId, next.message)
    delete held[next.rev]
    cursor = next.rev
  }
  return { ...stream, byId, cursor, held }
}

/** Applies an event if it is next in the sequence. Ignores old events. Holds events after a gap until the gap is filled. */
export function receive(stream: ChatStream, event: ChatMessageEvent): ChatStream {
  if (event.rev <= stream.cursor || stream.held[event.rev] !== undefined) return stream
  const isNext = event.rev === stream.cursor + 1
  if (isNext && !hasGap(stream)) {
    const byId = { ...stream.byId }
    upsert(byId, event.message)
    return { ...stream, byId, cursor: event.rev }
  }
  if (!isNext && Object.keys(stream.held).length >= heldMax) return stream
  return drain({ ...stream, held: { ...stream.held, [event.rev]: event } })
}

/** Applies a response that contains everything after the cursor, and then the held events. */
export function catchUp(stream: ChatStream, page: Pick<MessagesPage, 'messages' | 'rev'>): ChatStream {
  const byId = { ...stream.byId }
  for (const message of page.messages.toSorted((a, b) => a.seq - b.seq)) upsert(byId, message)
  let cursor = Math.max(stream.cursor, page.rev)
  // Rows may be newer than `rev`, because the server reads `rev` first.
  const newer = page.messages.map(({ rev }) => rev).toSorted((a, b) => a - b)
  for (const rev of newer) if (rev === cursor + 1) cursor = rev
  return drain({ ...stream, byId, cursor })
}

/** Replaces the messages with the newest page, unless the stream is newer than the page. Keeps held events that are newer. */
export function reload(stream: ChatStream, page: Pick<MessagesPage, 'messages' | 'rev'>): ChatStream {
  if (page.rev < stream.cursor) return catchUp(stream, page)
  return catchUp({ ...openStream([], page.rev), held: stream.held }, page)
}

/** Merges a chat's newest page if the page reaches back to the loaded messages. Otherwise, the page replaces them. */
export function mergePage(stream: ChatStream, page: Pick<MessagesPage, 'messages' | 'rev'>): ChatStream {
  const first = Math.min(...page.messages.map(({ rev }) => rev), page.rev + 1)
  return first <= stream.cursor + 1 ? catchUp(stream, page) : reload(stream, page)
}

export function addEarlier(stream: ChatStream, page: Pick<MessagesPage, 'messages' | 'more'>): ChatStream {
  const earlier = Object.fromEntries(page.messages.map((one) => [one.id, one]))
  return { ...stream, byId: { ...earlier, ...stream.byId }, reachesStart: !page.more }
}

export const rowCount = (stream: ChatStream): number => Object.keys(stream.byId).length

export function trim(stream: ChatStream, kept: number): ChatStream {
  if (rowCount(stream) <= kept) return stream
  return { ...stream, byId: openStream(messagesOf(stream).slice(-kept), 0).byId, reachesStart: false }
}
