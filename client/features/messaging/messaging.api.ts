import { keepPreviousData, queryOptions, skipToken } from '@tanstack/react-query'
import { call, callNext, callPage, type Continuation, withQuery } from '#client/lib/api.ts'
import type { Chat, ChatParticipant, ChatPatch } from '#shared/schemas/messaging.ts'
import type { ChatStream } from './sync/chat-stream.ts'

/** What is known of a chat beside its messages. */
export type ChatHead = Omit<Chat, 'messages' | 'participants'> & {
  me: ChatParticipant
  other: ChatParticipant
}

/** The chats that are here. */
export interface ChatList {
  chats: Readonly<Record<string, ChatHead>>
  /** The list has been here once. */
  hasLoaded: boolean
  /** How many chats the server has, and where the page after those listed here is; none when all are here. */
  total: number
  nextPage: string | undefined
}

export const noChats: ChatList = { chats: {}, hasLoaded: false, total: 0, nextPage: undefined }

/** A page of GET /api/chats. */
export interface ChatsPage {
  chats: Chat[]
  total: number
  next: string | undefined
}

/** A message on its way: its client id is the idempotency key for as long as it lives. */
export interface OutgoingMessage {
  clientId: string
  chatId: string
  content: string
  attachmentUrl?: string
  attachmentName?: string
  /** The post that it is about. */
  postId?: string
}

/** Which messages of a chat: the newest where nothing is said. */
export interface MessagesPlace {
  afterRev?: number
  beforeSeq?: number
  aroundSeq?: number
  limit?: number
}

const of = (dealerId: string) => ['/api/chats', dealerId] as const
const held = (dealerId: string) => [...of(dealerId), 'held'] as const

export const messagingKeys = {
  of,
  /** What events keep: nothing fetches it. */
  held,
  chats: (dealerId: string) => [...held(dealerId), 'list'] as const,
  messages: (dealerId: string, chatId: string) => [...held(dealerId), 'messages', chatId] as const,
  /** The calls that bring it. */
  loading: (dealerId: string) => [...of(dealerId), 'loading'] as const,
  names: (dealerId: string, search: string) => [...of(dealerId), 'names', search] as const,
  found: (text: string) => ['/api/chats', 'search', text] as const,
  dealers: (name: string) => ['/api/dealers', 'message', name] as const,
}

/** Never stale, never let go: events keep it. */
export const heldByClient = {
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
  structuralSharing: false,
} as const

/** The chats that are here; written by the message client alone. */
export const chatListQuery = (dealerId: string) =>
  queryOptions<ChatList, Error, ChatList, ReturnType<typeof messagingKeys.chats>>({
    queryKey: messagingKeys.chats(dealerId),
    queryFn: skipToken,
    ...heldByClient,
  })

/** What is here of a chat's messages; written by the message client alone. */
export const messagesQuery = (dealerId: string, chatId: string) =>
  queryOptions<ChatStream, Error, ChatStream, ReturnType<typeof messagingKeys.messages>>({
    queryKey: messagingKeys.messages(dealerId, chatId),
    queryFn: skipToken,
    ...heldByClient,
  })

/** A list beside the first page, whose rows need no more than the last message; or how one goes on. */
export type ChatsPart = { search?: string; unread?: 'true'; limit?: number } | Continuation<Chat>

/** The calls of a message client. */
export const messagingApi = {
  /** Who is signed in, whatever this tab believes. */
  fetchOwnId: async () => (await call('/api/auth/me')).id,
  /** A page of the dealer's chats, or what follows one. Of nothing: the first, with the messages that a window shows. */
  async fetchChatsPage(of?: ChatsPart, signal?: AbortSignal): Promise<ChatsPage> {
    const { rows, total, next } =
      typeof of === 'string'
        ? await callNext<Chat>(of, signal)
        : await callPage(withQuery('/api/chats', of === undefined ? {} : { ...of, messages: 1 }), signal)
    return { chats: rows, total, next }
  },
  fetchChat: (chatId: string) => call(`/api/chats/${encodeURIComponent(chatId)}`),
  fetchSyncHeads: () => call('/api/heads'),
  openChat: (dealerId: string) => call('/api/chats', { method: 'POST', body: { dealerId } }),
  patchChat: (chatId: string, patch: ChatPatch) =>
    call(`/api/chats/${encodeURIComponent(chatId)}`, { method: 'PATCH', body: patch }),
  async putRead(chatId: string, seq: number): Promise<void> {
    await call(`/api/chats/${encodeURIComponent(chatId)}/read`, { method: 'PUT', body: { seq } })
  },
  fetchMessages: (chatId: string, place: MessagesPlace) =>
    call(withQuery(`/api/chats/${encodeURIComponent(chatId)}/messages`, { ...place })),
  /** The client id is the idempotency key: however often this is called, there is one message. */
  postMessage: ({ clientId, ...body }: OutgoingMessage) =>
    call('/api/messages', { method: 'POST', body, idempotencyKey: clientId }),
  generateChats: (dealerId: string) => call(`/api/chats/${encodeURIComponent(dealerId)}/generate`, { method: 'POST' }),
}

export type MessagingApi = typeof messagingApi

export const messageSearchQuery = (text: string) =>
  queryOptions({
    queryKey: messagingKeys.found(text),
    queryFn: ({ signal }) => call(withQuery('/api/chats/search', { q: text }), { signal }),
    staleTime: 0,
    placeholderData: keepPreviousData,
  })

/** Dealers whose name or dealership matches, for a new message. */
export const dealerSearchQuery = (name: string) =>
  queryOptions({
    queryKey: messagingKeys.dealers(name),
    queryFn: ({ signal }) => call(withQuery('/api/dealers', { name, limit: 20 }), { signal }),
    placeholderData: keepPreviousData,
  })

/** A chat's own page. */
export const chatPath = (chatId: string) => `/messages?chat=${encodeURIComponent(chatId)}`
