import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { call } from '#client/lib/http/api.ts'
import { alwaysRefetched } from '#client/lib/live/live-queries.ts'
import { onOwnChange } from '#client/lib/own-changes.ts'

/** The steps that this visitor has tried since signing in. Null for an account without steps. */
export const demoStepsQuery = () =>
  queryOptions({ queryKey: ['/api/demo/steps'], queryFn: () => call('/api/demo/steps'), ...alwaysRefetched })

const settleMs = 400
const chatsKey = '/api/chats'

/** Refetches the steps after each change by this dealer and after each message. */
export function followSteps(cache: QueryClient): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const ask = () => {
    clearTimeout(timer)
    timer = setTimeout(() => void cache.invalidateQueries({ queryKey: demoStepsQuery().queryKey }), settleMs)
  }
  const stops = [
    onOwnChange(cache, ask),
    // The message client sends messages, and writes them to its own part of the cache.
    cache.getQueryCache().subscribe((event) => {
      if (event.type === 'updated' && event.action.type === 'success' && event.query.queryKey[0] === chatsKey) ask()
    }),
  ]
  return () => {
    clearTimeout(timer)
    for (const stop of stops) stop()
  }
}
