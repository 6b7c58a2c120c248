import { queryOptions } from '@tanstack/react-query'
import { call, withQuery } from '#client/lib/api.ts'
import type { Dealer } from '#shared/schemas/dealers.ts'
import type { Chat, ChatPatch, FoundMessage, Heads, Message, MessagesPage } from '#shared/schemas/messaging.ts'
import { receiveChats } from './messaging.store.ts'
import type { OutgoingMessage } from './outgoing-message.ts'

const chat = (id: string, rest = '') => `/api/chats/${encodeURIComponent(id)}${rest}`

export const fetchChats = (signal?: AbortSignal) => call<Chat[]>('/api/chats', signal && { signal })

/** The dealer's chats (spec A §7). They go into the store, where events find them; the answer is how many there are. */
export function chatsQuery(dealerId: string) {
  return queryOptions({
    queryKey: ['/api/chats', dealerId] as const,
    queryFn: async ({ signal }) => {
      const chats = await fetchChats(signal)
      receiveChats(chats, 'all')
      return chats.length
    },
  })
}

export const fetchChat = (chatId: string) => call<Chat>(chat(chatId))

export const fetchHeads = () => call<Heads>('/api/heads')

export const openChat = (dealerId: string, postId?: string) =>
  call<Chat>('/api/chats', { method: 'POST', body: { dealerId, ...(postId !== undefined && { postId }) } })

export const patchChat = (chatId: string, patch: ChatPatch) =>
  call<Chat>(chat(chatId), { method: 'PATCH', body: patch })

export const putRead = (chatId: string, seq: number) => call(chat(chatId, '/read'), { method: 'PUT', body: { seq } })

export const fetchMessages = (
  chatId: string,
  query: { afterRev?: number; beforeSeq?: number; aroundSeq?: number; limit?: number },
) => call<MessagesPage>(withQuery(chat(chatId, '/messages'), query))

/** The client id is the idempotency key: however often this is called, there is one message. */
export const postMessage = ({ clientId, ...body }: OutgoingMessage) =>
  call<Message>('/api/messages', { method: 'POST', body, idempotencyKey: clientId })

export const generateChats = (dealerId: string) => call<Chat[]>(chat(dealerId, '/generate'), { method: 'POST' })

export const messageSearchQuery = (text: string) =>
  queryOptions({
    queryKey: ['/api/chats/search', text] as const,
    queryFn: ({ signal }) => call<FoundMessage[]>(withQuery('/api/chats/search', { q: text }), { signal }),
    staleTime: 0,
  })

/** Dealers whose name or dealership matches, for a new message. */
export const dealerSearchQuery = (name: string) =>
  queryOptions({
    queryKey: ['/api/dealers', 'message', name] as const,
    queryFn: ({ signal }) => call<Dealer[]>(withQuery('/api/dealers', { name, limit: 20 }), { signal }),
  })
