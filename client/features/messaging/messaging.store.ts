import { defineSlice } from '#client/lib/slice.ts'
import { chatsPageMax, messagesPerWindow } from '#shared/limits.ts'
import type { Chat, ChatParticipant, Message } from '#shared/schemas/messaging.ts'
import type { ChatMessageEvent } from '#shared/events/messaging.ts'
import { type ChatStream, meet, openStream, receive, rowCount, trim } from './chat-stream.ts'
import type { OutgoingMessage } from './outgoing-message.ts'

/** What is known of a chat beside its messages. */
export type ChatHead = Omit<Chat, 'messages' | 'unreadCount' | 'participants'> & {
  me: ChatParticipant
  other: ChatParticipant
}

/** A message on its way. It leaves this list when the server has it, or by Delete. */
export interface PendingMessage extends OutgoingMessage {
  createdAt: string
  /** `failed` only when the server refused it; anything else is tried again. */
  state: 'sending' | 'failed'
  reason?: string
}

/** A file that is not a message yet. Its bytes are with its upload. */
export interface PendingUpload {
  id: string
  chatId: string
  name: string
  /** 0 to 1. */
  share: number
  /** Why it stopped. */
  failure?: string
}

export interface ChatWindow {
  chatId: string
  isMinimized: boolean
  /** Rises with every use: where there is no room for all, the least recently used fold first. */
  used: number
}

interface MessagingState {
  dealerId: string
  isListOpen: boolean
  /** In the order they were opened; at most three. */
  windows: ChatWindow[]
  chats: Record<string, ChatHead>
  streams: Record<string, ChatStream>
  pending: PendingMessage[]
  uploads: PendingUpload[]
  /** Chats whose other side is typing. */
  typing: Record<string, boolean>
  online: Record<string, boolean>
  /** Logs on screen, by chat. */
  logs: Record<string, number>
  /** Chats in which somebody has scrolled up: their older rows stay. `far`: so far that the newest are not here. */
  scrolledUp: Record<string, 'near' | 'far'>
  /** A found message that its log should show, by chat. */
  wantedSeq: Record<string, number>
  /** The list of chats has been here once. */
  hasLoaded: boolean
  /** How many chats the server has, and where the page after those listed here is; none when all are here. */
  total: number
  nextPage: string | undefined
}

/** A page of GET /api/chats. */
export interface ChatsPage {
  chats: Chat[]
  total: number
  next: string | undefined
}

export const messagingStore = defineSlice<MessagingState>('messaging', () => ({
  dealerId: '',
  isListOpen: false,
  windows: [],
  chats: {},
  streams: {},
  pending: [],
  uploads: [],
  typing: {},
  online: {},
  logs: {},
  scrolledUp: {},
  wantedSeq: {},
  hasLoaded: false,
  total: 0,
  nextPage: undefined,
}))

/** Rows kept of a chat whose reader has scrolled up. What comes after them is asked for when the reader is back. */
export const parkedRows = 400

/** Its reader is far up in it: it takes no more rows, and falls behind on purpose. */
export function isParked(chatId: string): boolean {
  const { scrolledUp, streams } = messagingStore.get()
  const stream = streams[chatId]
  if (scrolledUp[chatId] === undefined || stream === undefined) return false
  return scrolledUp[chatId] === 'far' || rowCount(stream) >= parkedRows
}

/** A day brings any number of messages; memory holds what a log shows, and of closed chats beyond a page the last. */
function bounded({ logs, scrolledUp, streams }: MessagingState, chatId: string, stream: ChatStream): ChatStream {
  if (scrolledUp[chatId] !== undefined) return stream
  const isClosed = (logs[chatId] ?? 0) === 0
  return trim(stream, isClosed && Object.keys(streams).length > chatsPageMax ? 1 : messagesPerWindow)
}

export const unreadOf = (chat: Pick<ChatHead, 'lastSeq' | 'readSeq'>): number =>
  Math.max(0, chat.lastSeq - chat.readSeq)

/** The total that every badge shows. */
export const unreadTotal = (state: MessagingState): number =>
  Object.values(state.chats).reduce((total, chat) => total + unreadOf(chat), 0)

function toHead(loaded: Chat, dealerId: string): ChatHead {
  const { messages: _, unreadCount: __, participants, ...chat } = loaded
  const nobody: ChatParticipant = { id: '', name: '', avatar: null, dealershipName: '' }
  return {
    ...chat,
    me: participants.find(({ id }) => id === dealerId) ?? nobody,
    other: participants.find(({ id }) => id !== dealerId) ?? nobody,
  }
}

/** Loaded chats. Numbers only rise: an answer that is older than an event takes nothing back. */
export function receiveChats(chats: readonly Chat[]): void {
  const before = messagingStore.get()
  messagingStore.set((state) => {
    for (const chat of chats) {
      const known = state.chats[chat.id]
      const head = toHead(chat, state.dealerId)
      const stream = before.streams[chat.id]
      // Whoever is reading far up keeps their place: the stream is filled when they are back.
      if (stream === undefined || state.scrolledUp[chat.id] === undefined)
        state.streams[chat.id] = bounded(
          before,
          chat.id,
          stream === undefined ? openStream(chat.messages, chat.rev) : meet(stream, chat),
        )
      state.chats[chat.id] = {
        ...head,
        rev: Math.max(head.rev, known?.rev ?? 0),
        lastSeq: Math.max(head.lastSeq, known?.lastSeq ?? 0),
        readSeq: Math.max(head.readSeq, known?.readSeq ?? 0),
        // Null says that receipts are off.
        otherReadSeq: head.otherReadSeq === null ? null : Math.max(head.otherReadSeq, known?.otherReadSeq ?? 0),
        lastActivity: known && known.lastActivity > head.lastActivity ? known.lastActivity : head.lastActivity,
      }
    }
  })
}

/** The first page of the list. Where it is all there is, a chat that is not on it is gone. */
export function receiveFirstPage({ chats, total, next }: ChatsPage): void {
  const listed = new Set(chats.map(({ id }) => id))
  messagingStore.set((state) => {
    Object.assign(state, { hasLoaded: true, total, nextPage: next })
    for (const id of next === undefined ? Object.keys(state.chats) : []) {
      if (listed.has(id) || state.windows.some((open) => open.chatId === id)) continue
      delete state.chats[id]
      delete state.streams[id]
    }
  })
  receiveChats(chats)
}

/** A message that is stored, from an event or from the answer to its sending. False: the chat is not known here. */
export function receiveMessage(event: ChatMessageEvent): boolean {
  const { chatId, message } = event
  const before = messagingStore.get()
  const stream = before.streams[chatId]
  if (before.chats[chatId] === undefined || stream === undefined) return false
  // Worked out beside the draft: copying a stream through it costs many times as much.
  const next = isParked(chatId) ? stream : bounded(before, chatId, receive(stream, event))
  messagingStore.set((state) => {
    const chat = state.chats[chatId]
    if (chat === undefined) return
    state.streams[chatId] = next
    applyNumbers(chat, state.dealerId, message)
    if (message.senderId === state.dealerId) dropPending(state.pending, message.clientId)
    else delete state.typing[chatId]
  })
  return true
}

function applyNumbers(chat: ChatHead, dealerId: string, message: Message): void {
  chat.rev = Math.max(chat.rev, message.rev)
  chat.lastSeq = Math.max(chat.lastSeq, message.seq)
  if (message.createdAt > chat.lastActivity) chat.lastActivity = message.createdAt
  // Whoever writes has read; the server moves the pointer in the same statement.
  if (message.senderId === dealerId) chat.readSeq = Math.max(chat.readSeq, message.seq)
  else if (chat.otherReadSeq !== null) chat.otherReadSeq = Math.max(chat.otherReadSeq, message.seq)
}

function dropPending(pending: PendingMessage[], clientId: string): void {
  const at = pending.findIndex((one) => one.clientId === clientId)
  if (at >= 0) pending.splice(at, 1)
}

export function receiveRead({ chatId, dealerId, seq }: { chatId: string; dealerId: string; seq: number }): void {
  messagingStore.set((state) => {
    const chat = state.chats[chatId]
    if (chat === undefined) return
    if (dealerId === state.dealerId) chat.readSeq = Math.max(chat.readSeq, Math.min(seq, chat.lastSeq))
    else chat.otherReadSeq = Math.max(chat.otherReadSeq ?? 0, seq)
  })
}

/** Replaces one stream by what a pure step makes of it. */
export function stepStream(chatId: string, step: (stream: ChatStream) => ChatStream): void {
  const before = messagingStore.get()
  const stream = before.streams[chatId]
  if (stream === undefined) return
  const whole = step(stream)
  const next = bounded(before, chatId, whole)
  messagingStore.set((state) => {
    const chat = state.chats[chatId]
    if (chat === undefined) return
    state.streams[chatId] = next
    for (const message of Object.values(whole.byId))
      if (message.rev > chat.rev) applyNumbers(chat, state.dealerId, message)
  })
}

export function setScrolledUp(chatId: string, how: 'near' | 'far'): void {
  messagingStore.set((state) => void (state.scrolledUp[chatId] = how))
}

/** Back at the end, or closed: older rows are asked for again when wanted. */
export function endScroll(chatId: string): void {
  messagingStore.set((state) => void delete state.scrolledUp[chatId])
  stepStream(chatId, (stream) => stream)
}

/** A log of this chat came on screen (1) or left it (-1). */
export function countLog(chatId: string, by: 1 | -1): void {
  messagingStore.set((state) => {
    const count = (state.logs[chatId] ?? 0) + by
    if (count > 0) state.logs[chatId] = count
    else delete state.logs[chatId]
  })
  if (by < 0) endScroll(chatId)
}
