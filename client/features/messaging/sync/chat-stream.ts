import type { ChatMessageEvent } from '#shared/events/messaging.ts'
import { catchUpMax } from '#shared/limits.ts'
import type { Message, MessagesPage } from '#shared/schemas/messaging.ts'

/**
 * What this tab holds of one chat's messages. Everything with a number up to `cursor` has been applied; what arrived
 * beyond a gap waits in `held`. Pure: any order, repetition and loss of events ends, after a catch-up, in what a fresh
 * load gives.
 */
export interface ChatStream {
  /** The last of them, by message id. Older ones are asked for again when somebody scrolls up. */
  byId: Readonly<Record<string, Message>>
  /** There is nothing before the first of them, whatever its number: what was older is kept no longer. */
  reachesStart: boolean
  /** The chat's rev up to which nothing is missing. */
  cursor: number
  /** Events beyond the gap, by rev. */
  held: Readonly<Record<number, ChatMessageEvent>>
}

/** More than this beyond one gap are not kept: the catch-up that fills it brings them as well. */
const heldMax = 200

export function openStream(messages: readonly Message[], rev: number): ChatStream {
  const byId = Object.fromEntries(messages.map((message) => [message.id, message]))
  return { byId, reachesStart: false, cursor: rev, held: {} }
}

/** In the chat's order. */
export function messagesOf(stream: ChatStream): Message[] {
  return Object.values(stream.byId).toSorted((a, b) => a.seq - b.seq)
}

/** Whether messages before the first held one may be had. */
export function hasEarlier(stream: ChatStream): boolean {
  const [first] = messagesOf(stream)
  return first !== undefined && first.seq > 1 && !stream.reachesStart
}

export const hasGap = (stream: ChatStream): boolean => Object.keys(stream.held).length > 0

/** Too far behind to fetch everything: the newest page is taken instead. */
export const isFarBehind = (stream: ChatStream, rev: number): boolean => rev - stream.cursor > catchUpMax

/** Never an older copy in place of a newer one; the change of a row that is not loaded waits for who scrolls up to it. */
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

/** An event: the next one is applied, an old one ignored, one beyond a gap held. */
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

/** The answer to "what came after my cursor": the gap is filled, and what was held beyond it follows. */
export function catchUp(stream: ChatStream, page: Pick<MessagesPage, 'messages' | 'rev'>): ChatStream {
  const byId = { ...stream.byId }
  for (const message of page.messages.toSorted((a, b) => a.seq - b.seq)) upsert(byId, message)
  let cursor = Math.max(stream.cursor, page.rev)
  // Rows may be newer than the number, which is read before them.
  const newer = page.messages.map(({ rev }) => rev).toSorted((a, b) => a - b)
  for (const rev of newer) if (rev === cursor + 1) cursor = rev
  return drain({ ...stream, byId, cursor })
}

/** The newest page in place of everything; only what was held beyond it is kept. */
export function reload(stream: ChatStream, page: Pick<MessagesPage, 'messages' | 'rev'>): ChatStream {
  if (page.rev < stream.cursor) return catchUp(stream, page)
  return catchUp({ ...openStream([], page.rev), held: stream.held }, page)
}

/**
 * The last messages of a chat, as a list of chats brings them: added where they reach back to what is held, otherwise in
 * its place.
 */
export function mergePage(stream: ChatStream, page: Pick<MessagesPage, 'messages' | 'rev'>): ChatStream {
  const first = Math.min(...page.messages.map(({ rev }) => rev), page.rev + 1)
  return first <= stream.cursor + 1 ? catchUp(stream, page) : reload(stream, page)
}

/** The page before the first held one in front; it changes no number. */
export function addEarlier(stream: ChatStream, page: Pick<MessagesPage, 'messages' | 'more'>): ChatStream {
  const earlier = Object.fromEntries(page.messages.map((one) => [one.id, one]))
  return { ...stream, byId: { ...earlier, ...stream.byId }, reachesStart: !page.more }
}

export const rowCount = (stream: ChatStream): number => Object.keys(stream.byId).length

/** Keeps the newest so many rows. */
export function trim(stream: ChatStream, kept: number): ChatStream {
  if (rowCount(stream) <= kept) return stream
  return { ...stream, byId: openStream(messagesOf(stream).slice(-kept), 0).byId, reachesStart: false }
}
