import { defineSlice } from '#client/lib/slice.ts'
import { openChatWindows } from '#shared/limits.ts'
import type { Chat, ChatParticipant, Message } from '#shared/schemas/messaging.ts'
import type { ChatMessageEvent } from '#shared/events/messaging.ts'
import { type ChatStream, keptMessages, openStream, receive, reload, trim } from './chat-stream.ts'
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
  drafts: Record<string, string>
  /** Chats whose other side is typing. */
  typing: Record<string, boolean>
  online: Record<string, boolean>
  /** Chats in which somebody has scrolled up: their older rows stay. */
  scrolledUp: Record<string, boolean>
  /** A found message that its log should show, by chat. */
  wantedSeq: Record<string, number>
  /** The list of chats has been here once. */
  hasLoaded: boolean
}

export const messagingStore = defineSlice<MessagingState>('messaging', () => ({
  dealerId: '',
  isListOpen: false,
  windows: [],
  chats: {},
  streams: {},
  pending: [],
  drafts: {},
  typing: {},
  online: {},
  scrolledUp: {},
  wantedSeq: {},
  hasLoaded: false,
}))

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
export function receiveChats(chats: readonly Chat[], which: 'all' | 'these'): void {
  messagingStore.set((state) => {
    if (which === 'all') {
      state.hasLoaded = true
      const listed = new Set(chats.map(({ id }) => id))
      for (const id of Object.keys(state.chats)) {
        if (listed.has(id) || state.windows.some((open) => open.chatId === id)) continue
        delete state.chats[id]
        delete state.streams[id]
      }
    }
    for (const chat of chats) {
      const known = state.chats[chat.id]
      const head = toHead(chat, state.dealerId)
      const page = { messages: chat.messages, rev: chat.rev }
      const stream = state.streams[chat.id]
      state.streams[chat.id] = stream === undefined ? openStream(chat.messages, chat.rev) : reload(stream, page)
      state.chats[chat.id] = {
        ...head,
        rev: Math.max(head.rev, known?.rev ?? 0),
        lastSeq: Math.max(head.lastSeq, known?.lastSeq ?? 0),
        readSeq: Math.max(head.readSeq, known?.readSeq ?? 0),
        lastActivity: known && known.lastActivity > head.lastActivity ? known.lastActivity : head.lastActivity,
      }
    }
  })
}

/** A message that is stored, from an event or from the answer to its sending. False: the chat is not known here. */
export function receiveMessage({ chatId, rev, seq, message }: ChatMessageEvent): boolean {
  if (messagingStore.get().chats[chatId] === undefined) return false
  messagingStore.set((state) => {
    const chat = state.chats[chatId]
    const stream = state.streams[chatId]
    if (chat === undefined || stream === undefined) return
    const next = receive(stream, { chatId, rev, seq, message })
    state.streams[chatId] = state.scrolledUp[chatId] === true ? next : trim(next, keptMessages)
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
  messagingStore.set((state) => {
    const stream = state.streams[chatId]
    const chat = state.chats[chatId]
    if (stream === undefined || chat === undefined) return
    const next = step(stream)
    state.streams[chatId] = next
    for (const message of Object.values(next.byId))
      if (message.rev > chat.rev) applyNumbers(chat, state.dealerId, message)
  })
}

/** Opens a chat's window, or brings it back in its place; the oldest of three makes room (spec A §4). */
export function openWindow(chatId: string): void {
  messagingStore.set((state) => {
    const used = 1 + Math.max(0, ...state.windows.map((open) => open.used))
    const known = state.windows.find((open) => open.chatId === chatId)
    if (known === undefined) state.windows.push({ chatId, isMinimized: false, used })
    else Object.assign(known, { isMinimized: false, used })
    state.windows.splice(0, Math.max(0, state.windows.length - openChatWindows))
  })
}

export function closeWindow(chatId: string): void {
  messagingStore.set((state) => {
    state.windows = state.windows.filter((open) => open.chatId !== chatId)
  })
}

/** Back at the end, or closed: older rows are asked for again when wanted. */
export function setScrolledUp(chatId: string, isUp: boolean): void {
  messagingStore.set((state) => {
    if (isUp) {
      state.scrolledUp[chatId] = true
      return
    }
    delete state.scrolledUp[chatId]
    const stream = state.streams[chatId]
    if (stream !== undefined) state.streams[chatId] = trim(stream)
  })
}

export function minimizeWindow(chatId: string): void {
  messagingStore.set((state) => {
    const found = state.windows.find((open) => open.chatId === chatId)
    if (found !== undefined) found.isMinimized = true
  })
}

export function setListOpen(isListOpen: boolean): void {
  messagingStore.set((state) => void (state.isListOpen = isListOpen))
}
