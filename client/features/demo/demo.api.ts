import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { call } from '#client/lib/http/api.ts'
import { alwaysRefetched } from '#client/lib/live/live-queries.ts'
import { onOwnChange } from '#client/lib/own-changes.ts'

/** The steps that this visitor has tried since signing in. Null for an account without steps. */
export const demoStepsQuery = () =>
  queryOptions({ queryKey: ['/api/demo/steps'], queryFn: () => call('/api/demo/steps'), ...alwaysRefetched })

const settleMs = 400
const chatsKey = '/api/chats'

/** Refetches the steps after each change that this dealer makes and after each message. Returns a function that stops this. */
export function followSteps(cache: QueryClient): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const ask = () => {
    clearTimeout(timer)
    timer = setTimeout(() => void cache.invalidateQueries({ queryKey: demoStepsQuery().queryKey }), settleMs)
  }
  const stops = [
    onOwnChange(cache, ask),
    // Messages are not sent by mutations: the message client sends them and updates the chat queries.
    cache.getQueryCache().subscribe((event) => {
      if (event.type === 'updated' && event.action.type === 'success' && event.query.queryKey[0] === chatsKey) ask()
    }),
  ]
  return () => {
    clearTimeout(timer)
    for (const stop of stops) stop()
  }
}
