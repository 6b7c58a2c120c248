import { keepPreviousData, queryOptions, skipToken } from '@tanstack/react-query'
import { call, callNext, callPage, type Continuation, withQuery } from '#client/lib/http/api.ts'
import type { Chat, ChatParticipant, ChatPatch } from '#shared/schemas/messaging.ts'
import type { ChatStream } from './sync/chat-stream.ts'

export type ChatHead = Omit<Chat, 'messages' | 'participants'> & {
  me: ChatParticipant
  other: ChatParticipant
}

export interface ChatList {
  chats: Readonly<Record<string, ChatHead>>
  hasLoaded: boolean
  total: number
  nextPage: string | undefined
}

export const noChats: ChatList = { chats: {}, hasLoaded: false, total: 0, nextPage: undefined }

export interface ChatsPage {
  chats: Chat[]
  total: number
  next: string | undefined
}

export interface OutgoingMessage {
  clientId: string
  chatId: string
  content: string
  attachmentUrl?: string
  attachmentName?: string
  postId?: string
}

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
  /** These queries are updated by events and never fetched. */
  held,
  chats: (dealerId: string) => [...held(dealerId), 'list'] as const,
  messages: (dealerId: string, chatId: string) => [...held(dealerId), 'messages', chatId] as const,
  loading: (dealerId: string) => [...of(dealerId), 'loading'] as const,
  names: (dealerId: string, search: string) => [...of(dealerId), 'names', search] as const,
  found: (text: string) => ['/api/chats', 'search', text] as const,
  dealers: (name: string) => ['/api/dealers', 'message', name] as const,
}

/** Options for data that never becomes stale and is never evicted, because only events update it. */
export const heldByClient = {
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
  structuralSharing: false,
} as const

/** The dealer's chats. Only the message client writes this query. */
export const chatListQuery = (dealerId: string) =>
  queryOptions<ChatList, Error, ChatList, ReturnType<typeof messagingKeys.chats>>({
    queryKey: messagingKeys.chats(dealerId),
    queryFn: skipToken,
    ...heldByClient,
  })

export const messagesQuery = (dealerId: string, chatId: string) =>
  queryOptions<ChatStream, Error, ChatStream, ReturnType<typeof messagingKeys.messages>>({
    queryKey: messagingKeys.messages(dealerId, chatId),
    queryFn: skipToken,
    ...heldByClient,
  })

/** Selects chats. A filter returns chats with only their last message; a continuation is the next page of an earlier request. */
export type ChatsPart = { search?: string; unread?: 'true'; limit?: number } | Continuation<Chat>

export const messagingApi = {
  /** Returns the id of the dealer who is signed in according to the server. */
  fetchOwnId: async () => (await call('/api/auth/me')).id,
  /** Without arguments, fetches the first page, including the messages that a chat window shows. */
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
  /** The client id is the idempotency key, so repeated calls send the message only once. */
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

export const dealerSearchQuery = (name: string) =>
  queryOptions({
    queryKey: messagingKeys.dealers(name),
    queryFn: ({ signal }) => call(withQuery('/api/dealers', { name, limit: 20 }), { signal }),
    placeholderData: keepPreviousData,
  })

export const chatPath = (chatId: string) => `/messages?chat=${encodeURIComponent(chatId)}`
