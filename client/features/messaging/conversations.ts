import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { reasonOf } from '#client/lib/api.ts'
import { chatsQuery } from './messaging.api.ts'
import { messagingStore } from './messaging.store.ts'

/** The chats whose other side matches by name or dealership, most recently active first (spec B §5). */
export function useConversations(search: string) {
  const dealerId = messagingStore.use((state) => state.dealerId)
  const query = useQuery({ ...chatsQuery(dealerId), enabled: dealerId !== '' })
  const byId = messagingStore.use((state) => state.chats)
  const chats = useMemo(() => {
    const wanted = search.toLowerCase()
    return Object.values(byId)
      .filter(({ other }) => `${other.name}\n${other.dealershipName}`.toLowerCase().includes(wanted))
      .toSorted((a, b) => b.lastActivity.localeCompare(a.lastActivity))
  }, [byId, search])
  return {
    chats,
    isLoading: query.isPending,
    failure: query.error ? reasonOf(query.error) : undefined,
    isRetrying: query.isFetching,
    retry: () => void query.refetch(),
  }
}
