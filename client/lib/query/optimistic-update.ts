import { hashKey, type QueryClient, type QueryKey } from '@tanstack/react-query'
import { defineSlice } from '../storage/store-slice.ts'

const changing = defineSlice<{ byName: Record<string, { changes: number; isDue: boolean }> }>('changing', () => ({
  byName: {},
}))

/** Begins an optimistic update. Cancels a fetch in flight, because its response would be older and undo the update. */
export async function beginOptimistic(cache: QueryClient, queryKey: QueryKey): Promise<void> {
  const name = hashKey(queryKey)
  const wasAsked = cache.isFetching({ queryKey }) > 0
  changing.set(({ byName }) => {
    const { changes, isDue } = byName[name] ?? { changes: 0, isDue: false }
    byName[name] = { changes: changes + 1, isDue: isDue || wasAsked }
  })
  await cache.cancelQueries({ queryKey })
}

/** Ends an optimistic update. Once no update is in flight, repeats the fetch that was canceled. */
export async function endOptimistic(cache: QueryClient, queryKey: QueryKey): Promise<void> {
  const name = hashKey(queryKey)
  const held = changing.get().byName[name]
  if (held === undefined) return
  const changes = held.changes - 1
  changing.set(({ byName }) => {
    if (changes > 0) byName[name] = { ...held, changes }
    else delete byName[name]
  })
  if (changes === 0 && held.isDue) await cache.invalidateQueries({ queryKey })
}
