import { hashKey, notifyManager } from '@tanstack/react-query'
import { chatsPageMax, messagesPerWindow } from '#shared/limits.ts'
import type { ChatMessageEvent } from '#shared/events/messaging.ts'
import type { Chat, ChatParticipant, Message } from '#shared/schemas/messaging.ts'
import { type ChatHead, type ChatList, type ChatsPage, heldByClient, messagingKeys, noChats } from '../messaging.api.ts'
import { type ChatStream, mergePage, messagesOf, openStream, receive, rowCount, trim } from './chat-stream.ts'
import type { ClientDependencies } from './dependencies.ts'

/** The maximum number of loaded rows while a log is scrolled up. Newer messages load when the reader returns to the end. */
export const parkedRows = 400

function toHead(loaded: Chat, dealerId: string): ChatHead {
  const { messages: _, participants, ...chat } = loaded
  const nobody: ChatParticipant = { id: '', name: '', avatar: null, dealershipName: '' }
  return {
    ...chat,
    me: participants.find(({ id }) => id === dealerId) ?? nobody,
    other: participants.find(({ id }) => id !== dealerId) ?? nobody,
  }
}

/** Merges a loaded chat into the known one. Sequence numbers never decrease, so an old response cannot undo a newer event. */
function mergeHead(head: ChatHead, known: ChatHead | undefined): ChatHead {
  if (known === undefined) return head
  const lastSeq = Math.max(head.lastSeq, known.lastSeq)
  const readSeq = Math.max(head.readSeq, known.readSeq)
  const { unreadCount } = head.lastSeq < known.lastSeq ? known : head
  return {
    ...head,
    rev: Math.max(head.rev, known.rev),
    lastSeq,
    readSeq,
    unreadCount: Math.min(unreadCount, lastSeq - readSeq),
    // Null means that read receipts are off.
    otherReadSeq: head.otherReadSeq === null ? null : Math.max(head.otherReadSeq, known.otherReadSeq ?? 0),
    lastActivity: known.lastActivity > head.lastActivity ? known.lastActivity : head.lastActivity,
  }
}

function withMessage(chat: ChatHead, dealerId: string, message: Message): ChatHead {
  const isOwn = message.senderId === dealerId
  // Messages missing in a gap count as unread until they have been loaded.
  const news = Math.max(0, message.seq - chat.lastSeq)
  const unreadCount = chat.unreadCount + (isOwn ? Math.max(0, news - 1) : news)
  return {
    ...chat,
    rev: Math.max(chat.rev, message.rev),
    lastSeq: Math.max(chat.lastSeq, message.seq),
    unreadCount,
    lastActivity: message.createdAt > chat.lastActivity ? message.createdAt : chat.lastActivity,
    // If nothing is unread, sending a message also moves the read pointer. The server does this in the same SQL statement.
    readSeq: isOwn && unreadCount === 0 ? Math.max(chat.readSeq, message.seq) : chat.readSeq,
  }
}

function withRead(chat: ChatHead, seq: number): ChatHead {
  const readSeq = Math.max(chat.readSeq, Math.min(seq, chat.lastSeq))
  return { ...chat, readSeq, unreadCount: Math.min(chat.unreadCount, chat.lastSeq - readSeq) }
}

/** Recalculates the number of unread messages if all of them are loaded. */
function recounted(chat: ChatHead, dealerId: string, stream: ChatStream): ChatHead {
  const unseen = Object.values(stream.byId).filter(({ seq }) => seq > chat.readSeq)
  if (unseen.length !== chat.lastSeq - chat.readSeq) return chat
  const unreadCount = unseen.filter(({ senderId }) => senderId !== dealerId).length
  return { ...chat, unreadCount, readSeq: unreadCount === 0 ? chat.lastSeq : chat.readSeq }
}

/** The dealer's chats and messages in the query cache. All changes go through this class. */
export class ChatData {
  readonly #parts: ClientDependencies
  readonly #listKey: ReturnType<typeof messagingKeys.chats>
  readonly #onStored: (messages: readonly Message[]) => void

  /** @param onStored called with every message that is received */
  constructor(parts: ClientDependencies, onStored: (messages: readonly Message[]) => void) {
    this.#parts = parts
    this.#listKey = messagingKeys.chats(parts.dealerId)
    this.#onStored = onStored
    parts.cache.setQueryDefaults(messagingKeys.held(parts.dealerId), heldByClient)
  }

  list(): ChatList {
    return this.#parts.cache.getQueryData<ChatList>(this.#listKey) ?? noChats
  }

  chat(chatId: string): ChatHead | undefined {
    return this.list().chats[chatId]
  }

  stream(chatId: string): ChatStream | undefined {
    return this.#parts.cache.getQueryData(this.#messagesKey(chatId))
  }

  messages(chatId: string): Message[] {
    const stream = this.stream(chatId)
    return stream === undefined ? [] : messagesOf(stream)
  }

  #messagesKey(chatId: string) {
    return messagingKeys.messages(this.#parts.dealerId, chatId)
  }

  setList(change: Partial<ChatList>): void {
    if (!this.#parts.isOver()) this.#parts.cache.setQueryData<ChatList>(this.#listKey, { ...this.list(), ...change })
  }

  #setChat(next: ChatHead): void {
    const { chats } = this.list()
    const known = chats[next.id]
    const isSame = (name: string, value: unknown) => known !== undefined && Reflect.get(known, name) === value
    if (Object.entries(next).every(([name, value]) => isSame(name, value))) return
    this.setList({ chats: { ...chats, [next.id]: next } })
  }

  /** Stores a stream and drops rows that the log does not show. If there are many chats, closed chats keep only the last message. */
  #setStream(chatId: string, whole: ChatStream): void {
    const { cache, isOver, store } = this.#parts
    const { logs, scrolledUp } = store.get()
    const isClosed = (logs[chatId] ?? 0) === 0
    const isOneOfMany = Object.keys(this.list().chats).length > chatsPageMax
    const next = scrolledUp[chatId] === undefined ? trim(whole, isClosed && isOneOfMany ? 1 : messagesPerWindow) : whole
    if (!isOver() && next !== this.stream(chatId)) cache.setQueryData(this.#messagesKey(chatId), next)
  }

  /** True if the log is scrolled up so far that it accepts no more rows and deliberately falls behind. */
  isParked(chatId: string): boolean {
    const held = this.stream(chatId)
    const how = this.#parts.store.get().scrolledUp[chatId]
    if (how === undefined || held === undefined) return false
    return how === 'far' || rowCount(held) >= parkedRows
  }

  receiveChats(loaded: readonly Chat[]): void {
    const { dealerId, store } = this.#parts
    // Drop chats of another dealer, who may have signed in since from another tab of this browser.
    const own = loaded.filter(({ participants }) => participants.some(({ id }) => id === dealerId))
    notifyManager.batch(() => {
      const chats = { ...this.list().chats }
      for (const chat of own) {
        const held = this.stream(chat.id)
        if (held === undefined) this.#setStream(chat.id, openStream(chat.messages, chat.rev))
        // While the log is scrolled up, its rows stay unchanged. The gap is filled later.
        else if (store.get().scrolledUp[chat.id] === undefined) this.#setStream(chat.id, mergePage(held, chat))
        chats[chat.id] = mergeHead(toHead(chat, dealerId), chats[chat.id])
      }
      this.setList({ chats })
    })
    this.#onStored(own.flatMap(({ messages }) => messages))
  }

  /**
   * Applies the first page of chats. If it is the only page, removes chats that are neither on it nor open in a window.
   * @param asked chats loaded before the request; chats loaded later may be missing from the page
   */
  receiveFirstPage({ chats, total, next }: ChatsPage, asked: readonly string[]): void {
    const { cache, store } = this.#parts
    const isListed = new Set([...chats.map(({ id }) => id), ...store.get().windows.map(({ chatId }) => chatId)])
    const kept = { ...this.list().chats }
    for (const chatId of next === undefined ? asked : []) {
      if (isListed.has(chatId)) continue
      delete kept[chatId]
      cache.removeQueries({ queryKey: this.#messagesKey(chatId), exact: true })
    }
    this.setList({ hasLoaded: true, total, nextPage: next, chats: kept })
    this.receiveChats(chats)
  }

  /** Applies a stored message, from an event or a response. Returns false if the chat is not loaded. */
  receiveMessage(event: ChatMessageEvent): boolean {
    const { chatId, message } = event
    const held = this.stream(chatId)
    const head = this.chat(chatId)
    const isKnown = head !== undefined && held !== undefined
    if (isKnown)
      notifyManager.batch(() => {
        const { dealerId } = this.#parts
        const next = this.isParked(chatId) ? held : receive(held, event)
        this.#setStream(chatId, next)
        this.#setChat(recounted(withMessage(head, dealerId, message), dealerId, next))
      })
    this.#onStored([message])
    return isKnown
  }

  receiveRead({ chatId, dealerId, seq }: { chatId: string; dealerId: string; seq: number }): void {
    const head = this.chat(chatId)
    if (head === undefined) return
    const isOwn = dealerId === this.#parts.dealerId
    if (isOwn) this.#setChat(withRead(head, seq))
    else this.#setChat({ ...head, otherReadSeq: Math.max(head.otherReadSeq ?? 0, seq) })
  }

  /** Applies a pure function to a chat's stream, and updates the chat and its unread count. */
  stepStream(chatId: string, step: (held: ChatStream) => ChatStream): void {
    const held = this.stream(chatId)
    const head = this.chat(chatId)
    if (held === undefined || head === undefined) return
    const whole = step(held)
    const messages = Object.values(whole.byId)
    const news = messages.filter(({ rev }) => rev > head.rev)
    notifyManager.batch(() => {
      this.#setStream(chatId, whole)
      const { dealerId } = this.#parts
      this.#setChat(
        recounted(
          news.reduce((chat, message) => withMessage(chat, dealerId, message), head),
          dealerId,
          whole,
        ),
      )
    })
    if (whole !== held) this.#onStored(messages)
  }

  setScrolledUp(chatId: string, how: 'near' | 'far'): void {
    this.#parts.store.set((state) => void (state.scrolledUp[chatId] = how))
  }

  /** Drops older rows when the reader returns to the end or closes the chat. */
  endScroll(chatId: string): void {
    this.#parts.store.set((state) => void delete state.scrolledUp[chatId])
    this.stepStream(chatId, (held) => held)
  }

  countLog(chatId: string, by: 1 | -1): void {
    this.#parts.store.set((state) => {
      const count = (state.logs[chatId] ?? 0) + by
      if (count > 0) state.logs[chatId] = count
      else delete state.logs[chatId]
    })
    if (by < 0) this.endScroll(chatId)
  }

  /** Clears the dealer's cached chats. Empties the list instead of removing its query, because a mounted screen may still observe it. */
  clear(): void {
    const { cache, dealerId } = this.#parts
    cache.setQueryData<ChatList>(this.#listKey, noChats)
    const listHash = hashKey(this.#listKey)
    cache.removeQueries({
      queryKey: messagingKeys.held(dealerId),
      predicate: ({ queryHash }) => queryHash !== listHash,
    })
    cache.removeQueries({ queryKey: messagingKeys.of(dealerId), type: 'inactive' })
  }
}
