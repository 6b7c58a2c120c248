import { hashKey, type QueryClient, type QueryKey } from '@tanstack/react-query'
import { defineSlice } from './slice.ts'

/** By query: how many changes of it are under way, and whether one of them has stopped an answer. */
const changing = defineSlice<{ byName: Record<string, { changes: number; isDue: boolean }> }>('changing', () => ({
  byName: {},
}))

/** Before a change is shown that the server has not answered: an answer that was read before would undo it, and is stopped. */
export async function beginShown(cache: QueryClient, queryKey: QueryKey): Promise<void> {
  const name = hashKey(queryKey)
  const wasAsked = cache.isFetching({ queryKey }) > 0
  changing.set(({ byName }) => {
    const { changes, isDue } = byName[name] ?? { changes: 0, isDue: false }
    byName[name] = { changes: changes + 1, isDue: isDue || wasAsked }
  })
  await cache.cancelQueries({ queryKey })
}

/** It is answered. After the last of them what was stopped is asked for again: it may have brought other news, or the first there is. */
export async function endShown(cache: QueryClient, queryKey: QueryKey): Promise<void> {
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
