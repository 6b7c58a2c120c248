import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call, callPage, withQuery } from '#client/lib/api.ts'
import type { Dealer } from '#shared/schemas/dealers.ts'
import type { Chat, ChatPatch, FoundMessage, Heads, Message, MessagesPage } from '#shared/schemas/messaging.ts'
import type { ChatsPage } from './messaging.store.ts'
import type { OutgoingMessage } from './outgoing-message.ts'

const chat = (id: string, rest = '') => `/api/chats/${encodeURIComponent(id)}${rest}`

/** A page of the dealer's chats (spec A §7). Without a path: the first, with the messages that a window shows. */
export async function fetchChatsPage(path = '/api/chats', signal?: AbortSignal): Promise<ChatsPage> {
  const { rows: chats, total, next } = await callPage<Chat>(path, signal)
  return { chats, total, next }
}

/** A list beside the first page: its rows need no more than the last message. */
export const chatsPath = (query: { search?: string; unread?: 'true'; limit?: number }) =>
  withQuery('/api/chats', { ...query, messages: 1 })

export const fetchChat = (chatId: string) => call<Chat>(chat(chatId))

export const fetchHeads = () => call<Heads>('/api/heads')

export const openChat = (dealerId: string, postId?: string) =>
  call<Chat>('/api/chats', { method: 'POST', body: { dealerId, ...(postId !== undefined && { postId }) } })

export const patchChat = (chatId: string, patch: ChatPatch) =>
  call<Chat>(chat(chatId), { method: 'PATCH', body: patch })

export const putRead = (chatId: string, seq: number) => call(chat(chatId, '/read'), { method: 'PUT', body: { seq } })

/** Which messages of a chat: the newest where nothing is said. */
export interface MessagesPlace {
  afterRev?: number
  beforeSeq?: number
  aroundSeq?: number
  limit?: number
}

export const fetchMessages = (chatId: string, place: MessagesPlace) =>
  call<MessagesPage>(withQuery(chat(chatId, '/messages'), { ...place }))

/** The client id is the idempotency key: however often this is called, there is one message. */
export const postMessage = ({ clientId, ...body }: OutgoingMessage) =>
  call<Message>('/api/messages', { method: 'POST', body, idempotencyKey: clientId })

export const generateChats = (dealerId: string) => call<Chat[]>(chat(dealerId, '/generate'), { method: 'POST' })

export const messageSearchQuery = (text: string) =>
  queryOptions({
    queryKey: ['/api/chats/search', text] as const,
    queryFn: ({ signal }) => call<FoundMessage[]>(withQuery('/api/chats/search', { q: text }), { signal }),
    staleTime: 0,
    placeholderData: keepPreviousData,
  })

/** Dealers whose name or dealership matches, for a new message. */
export const dealerSearchQuery = (name: string) =>
  queryOptions({
    queryKey: ['/api/dealers', 'message', name] as const,
    queryFn: ({ signal }) => call<Dealer[]>(withQuery('/api/dealers', { name, limit: 20 }), { signal }),
    placeholderData: keepPreviousData,
  })
