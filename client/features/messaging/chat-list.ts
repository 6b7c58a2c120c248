import { queryOptions } from '@tanstack/react-query'
import { chatsPath, fetchChat, fetchChatsPage } from './messaging.api.ts'
import { type ChatsPage, messagingStore, receiveChats, receiveFirstPage, unreadOf } from './messaging.store.ts'

/** So long one more unlisted chat may follow before the list's length is asked for again. */
const countMs = 1_000

let counting: ReturnType<typeof setTimeout> | undefined

/** A chat came up that was not listed: where the list is longer than what is here, its length is asked for again. */
export function countAgain(): void {
  if (messagingStore.get().nextPage === undefined || counting !== undefined) return
  counting = setTimeout(() => {
    counting = undefined
    fetchChatsPage(chatsPath({ limit: 1 })).then(
      ({ total }) => messagingStore.set((state) => void (state.total = total)),
      // The next load of the list brings it.
      () => undefined,
    )
  }, countMs)
}

/**
 * Loads the list. Where it is longer than a page, every chat with something unread is loaded as well, however old: the
 * badge is the sum over what is here, and so the same in every tab.
 */
export async function loadChats(signal?: AbortSignal): Promise<number> {
  const page = await fetchChatsPage(undefined, signal)
  receiveFirstPage(page)
  const seen = new Set(page.chats.map(({ id }) => id))
  let next = page.next === undefined ? undefined : chatsPath({ unread: 'true' })
  const isLong = next !== undefined
  while (next !== undefined) {
    const more: ChatsPage = await fetchChatsPage(next, signal)
    receiveChats(more.chats)
    for (const { id } of more.chats) seen.add(id)
    next = more.next
  }
  // What is unread here and not there was read elsewhere.
  const readElsewhere = Object.values(messagingStore.get().chats).filter(
    (chat) => !seen.has(chat.id) && unreadOf(chat) > 0,
  )
  if (isLong) for (const { id } of readElsewhere) void refresh(id)
  return page.total
}

/** The dealer's chats (spec A §7). They go into the store, where events find them; the answer is how many there are. */
export const chatsQuery = (dealerId: string) =>
  queryOptions({ queryKey: ['/api/chats', dealerId] as const, queryFn: ({ signal }) => loadChats(signal) })

/** Chats that are not here and match by name or dealership. They go into the store, where the list finds them. */
export const chatSearchQuery = (search: string) =>
  queryOptions({
    queryKey: ['/api/chats', 'names', search] as const,
    queryFn: async ({ signal }) => {
      const { chats, total } = await fetchChatsPage(chatsPath({ search }), signal)
      receiveChats(chats)
      return total
    },
  })

/** The page after those that are listed. */
export async function loadNextPage(): Promise<void> {
  const { nextPage } = messagingStore.get()
  if (nextPage === undefined) return
  const page = await fetchChatsPage(nextPage.replace(/\bmessages=\d+/, 'messages=1'))
  messagingStore.set((state) => void Object.assign(state, { total: page.total, nextPage: page.next }))
  receiveChats(page.chats)
}

/** What a chat's number does not carry: receipts, mute, context. */
export async function refresh(chatId: string): Promise<void> {
  try {
    receiveChats([await fetchChat(chatId)])
  } catch {
    // The next greeting asks again.
  }
}
