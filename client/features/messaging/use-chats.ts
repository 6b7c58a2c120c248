import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { reasonOf } from '#client/lib/http/api.ts'
import { toastFailure } from '#client/ui/toast-store.ts'
import { type ChatHead, type ChatList, chatListQuery, messagesQuery, messagingKeys, noChats } from './messaging.api.ts'
import { messagingStore } from './messaging.store.ts'
import type { ChatStream } from './sync/chat-stream.ts'
import { messageClient } from './sync/current-client.ts'

const rowsPerStep = 50

/** Selects from the cached list of chats. The selector must return the same reference while nothing changes. */
export function useChats<Value>(select: (list: ChatList) => Value): Value {
  const dealerId = messagingStore.use((state) => state.dealerId)
  const { data } = useQuery({ ...chatListQuery(dealerId), select })
  return data === undefined ? select(noChats) : data
}

export const useChat = (chatId: string | undefined): ChatHead | undefined =>
  useChats(({ chats }) => (chatId === undefined ? undefined : chats[chatId]))

export function useMessages(chatId: string): ChatStream | undefined {
  const dealerId = messagingStore.use((state) => state.dealerId)
  return useQuery(messagesQuery(dealerId, chatId)).data
}

export const unreadTotal = ({ chats }: ChatList): number =>
  Object.values(chats).reduce((total, chat) => total + chat.unreadCount, 0)

/** Loads the dealer's chats into the cache, where events keep them up to date. Returns the query for their total number. */
export function useLoadedChats({ refetchOnMount = true }: { refetchOnMount?: 'always' | true } = {}) {
  const dealerId = messagingStore.use((state) => state.dealerId)
  return useQuery({
    queryKey: messagingKeys.loading(dealerId),
    queryFn: ({ signal }) => messageClient().chats.load(signal),
    enabled: dealerId !== '',
    refetchOnMount,
  })
}

/** Returns the chats whose other dealer matches by name or dealership, most recently active first. */
export function useConversations(search: string) {
  const dealerId = messagingStore.use((state) => state.dealerId)
  const isCut = useChats(({ nextPage }) => nextPage !== undefined)
  const query = useLoadedChats()
  // Loaded chats appear immediately; the server searches the chats that are not loaded.
  const further = useQuery({
    queryKey: messagingKeys.names(dealerId, search),
    queryFn: ({ signal }) => messageClient().chats.search(search, signal),
    enabled: isCut && search !== '',
  })
  const byId = useChats(({ chats }) => chats)
  const chats = useMemo(() => {
    const wanted = search.toLowerCase()
    return Object.values(byId)
      .filter(({ other }) => `${other.name}\n${other.dealershipName}`.toLowerCase().includes(wanted))
      .toSorted((a, b) => b.lastActivity.localeCompare(a.lastActivity))
  }, [byId, search])
  const { rows, more, isLoadingMore } = useSteps(chats.length, isCut && search === '')
  return {
    chats: chats.slice(0, rows),
    more,
    isLoadingMore,
    isLoading: query.isPending || further.isLoading,
    failure: query.error ? reasonOf(query.error) : undefined,
    isRetrying: query.isFetching,
    retry: () => void query.refetch(),
  }
}

/** Renders a long list in steps. After the last loaded row, loads the next page. */
function useSteps(count: number, isCut: boolean) {
  const [rows, setRows] = useState(rowsPerStep)
  const [isLoadingMore, setLoadingMore] = useState(false)
  const step = async () => {
    if (isLoadingMore) return
    if (rows >= count) {
      setLoadingMore(true)
      try {
        await messageClient().chats.loadNextPage()
      } catch (error) {
        toastFailure('Conversations could not be loaded', error)
        return
      } finally {
        setLoadingMore(false)
      }
    }
    setRows((drawn) => drawn + rowsPerStep)
  }
  return { rows, isLoadingMore, more: rows < count || isCut ? () => void step() : undefined }
}

/** Returns the number of conversations, including those that are not loaded. Undefined until the list has been loaded once. */
export const useConversationCount = (): number | undefined =>
  useChats(({ chats, hasLoaded, nextPage, total }) => {
    if (!hasLoaded) return undefined
    const here = Object.keys(chats).length
    return nextPage === undefined ? here : Math.max(total, here)
  })
