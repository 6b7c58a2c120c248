import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { reasonOf } from '#client/lib/api.ts'
import { toastFailure } from '#client/ui/toast-store.ts'
import { chatSearchQuery, chatsQuery, loadNextPage } from './chat-list.ts'
import { messagingStore } from './messaging.store.ts'

/** Rows drawn at first, and with every further step. */
const rowsPerStep = 50

/** The chats whose other side matches by name or dealership, most recently active first (spec B §5). */
export function useConversations(search: string) {
  const dealerId = messagingStore.use((state) => state.dealerId)
  const isCut = messagingStore.use((state) => state.nextPage !== undefined)
  const query = useQuery({ ...chatsQuery(dealerId), enabled: dealerId !== '' })
  // What is here answers at once; the server knows those that are not.
  const further = useQuery({ ...chatSearchQuery(search), enabled: isCut && search !== '' })
  const byId = messagingStore.use((state) => state.chats)
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

/** Draws a long list step by step, and loads its next page when what is here has been drawn. */
function useSteps(count: number, isCut: boolean) {
  const [rows, setRows] = useState(rowsPerStep)
  const [isLoadingMore, setLoadingMore] = useState(false)
  const step = async () => {
    if (isLoadingMore) return
    if (rows >= count) {
      setLoadingMore(true)
      try {
        await loadNextPage()
      } catch (error) {
        toastFailure('Conversations did not load', error)
        return
      } finally {
        setLoadingMore(false)
      }
    }
    setRows((drawn) => drawn + rowsPerStep)
  }
  return { rows, isLoadingMore, more: rows < count || isCut ? () => void step() : undefined }
}

/** How many conversations there are, here or not. */
export const useConversationCount = (): number =>
  messagingStore.use(({ chats, nextPage, total }) =>
    nextPage === undefined ? Object.keys(chats).length : Math.max(total, Object.keys(chats).length),
  )
