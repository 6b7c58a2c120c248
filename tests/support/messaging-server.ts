import type { MessagesPlace, OutgoingMessage } from '#client/features/messaging/messaging.api.ts'
import { ApiError } from '#client/lib/http/api.ts'
import type { ChatMessageEvent } from '#shared/events/messaging.ts'
import { messagesPerWindow } from '#shared/limits.ts'
import type { Chat, Message, MessagesPage } from '#shared/schemas/messaging.ts'

const startMs = Date.parse('2026-11-20T10:00:00.000Z')

/** A simulated clock that runs scheduled callbacks. */
export class Timeline {
  now = startMs
  #last = 0
  readonly #due = new Map<number, { at: number; run: () => void }>()

  /** Schedules `run`. Returns a function that cancels it. */
  after(ms: number, run: () => void): () => void {
    this.#last += 1
    const id = this.#last
    this.#due.set(id, { at: this.now + ms, run })
    return () => void this.#due.delete(id)
  }

  async pass(ms: number): Promise<void> {
    const end = this.now + ms
    await settled()
    for (let next = this.#nextBefore(end); next !== undefined; next = this.#nextBefore(end)) {
      const [id, { at, run }] = next
      this.#due.delete(id)
      this.now = at
      run()
      await settled()
    }
    this.now = end
  }

  #nextBefore(end: number) {
    let first: [number, { at: number; run: () => void }] | undefined
    for (const one of this.#due) if (one[1].at <= end && (first === undefined || one[1].at < first[1].at)) first = one
    return first
  }
}

/** Waits until pending promise callbacks have run. */
const settled = () => new Promise<void>((resolve) => void setImmediate(resolve))

export type Members = readonly [string, string]

export interface ServerChat {
  id: string
  members: Members
  messages: Message[]
  readSeqs: Record<string, number>
}

const revOf = (messages: readonly Message[]): number => Math.max(0, ...messages.map(({ rev }) => rev))

/** A fake server that handles messages like the real one: numbers them, deduplicates by key, and notifies members. */
export class FakeServer {
  readonly chats: ServerChat[]
  onStored: (event: ChatMessageEvent, chat: ServerChat) => void = () => undefined
  readonly #clock: Timeline

  constructor(clock: Timeline, chats: Record<string, Members>) {
    this.#clock = clock
    this.chats = Object.entries(chats).map(([id, members]) => ({ id, members, messages: [], readSeqs: {} }))
  }

  chat(chatId: string, dealerId: string): ServerChat {
    const chat = this.chats.find(({ id, members }) => id === chatId && members.includes(dealerId))
    if (chat === undefined) throw new ApiError(404, 'Not Found', '')
    return chat
  }

  store(dealerId: string, { clientId, chatId, content }: OutgoingMessage): Message {
    const chat = this.chat(chatId, dealerId)
    const known = chat.messages.find((one) => one.senderId === dealerId && one.clientId === clientId)
    if (known !== undefined) return known
    const seq = chat.messages.length + 1
    const rev = revOf(chat.messages) + 1
    const message: Message = {
      id: `${chatId}-${seq}`,
      seq,
      rev,
      senderId: dealerId,
      content,
      createdAt: new Date(this.#clock.now).toISOString(),
      clientId,
      attachmentUrl: null,
      attachmentName: null,
    }
    chat.messages.push(message)
    if ((chat.readSeqs[dealerId] ?? 0) === seq - 1) chat.readSeqs[dealerId] = seq
    this.onStored({ chatId, rev, seq, message }, chat)
    return message
  }

  /** Hides a message, as a moderator does: the chat gets a new revision, but no newer activity. Sends no event. */
  hide(chatId: string, seq: number): void {
    const messages = this.chats.find(({ id }) => id === chatId)?.messages ?? []
    const hidden = messages.find((message) => message.seq === seq)
    if (hidden) Object.assign(hidden, { rev: revOf(messages) + 1, content: '', hidden: true })
  }

  /** Returns the dealer's chats, the most recently active first. */
  recent(dealerId: string): Chat[] {
    return this.listed(dealerId).toSorted((a, b) => b.lastActivity.localeCompare(a.lastActivity))
  }

  read(dealerId: string, chatId: string, seq: number): void {
    const { readSeqs } = this.chat(chatId, dealerId)
    readSeqs[dealerId] = Math.max(readSeqs[dealerId] ?? 0, seq)
  }

  listed(dealerId: string): Chat[] {
    return this.chats.filter(({ members }) => members.includes(dealerId)).map((chat) => this.shown(dealerId, chat))
  }

  shown(dealerId: string, { id, members, messages, readSeqs }: ServerChat): Chat {
    const lastSeq = messages.length
    const readSeq = readSeqs[dealerId] ?? 0
    return {
      id,
      participants: members.map((member) => ({ id: member, name: member, avatar: null, dealershipName: member })),
      messages: messages.slice(-messagesPerWindow),
      unreadCount: messages.filter(({ seq, senderId }) => seq > readSeq && senderId !== dealerId).length,
      lastActivity: messages.at(-1)?.createdAt ?? new Date(startMs).toISOString(),
      createdAt: new Date(startMs).toISOString(),
      rev: revOf(messages),
      lastSeq,
      readSeq,
      otherReadSeq: null,
      muted: false,
      blocked: false,
      context: null,
    }
  }

  page(dealerId: string, chatId: string, { afterRev, limit = messagesPerWindow }: MessagesPlace): MessagesPage {
    const { messages } = this.chat(chatId, dealerId)
    const lastSeq = messages.length
    if (afterRev === undefined) return { messages: messages.slice(-limit), rev: revOf(messages), lastSeq, more: false }
    const later = messages.filter(({ rev }) => rev > afterRev).toSorted((a, b) => a.rev - b.rev)
    const rows = later.slice(0, limit)
    return { messages: rows, rev: rows.at(-1)?.rev ?? revOf(messages), lastSeq, more: later.length > limit }
  }
}
