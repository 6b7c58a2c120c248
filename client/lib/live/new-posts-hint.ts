import { type QueryClient, skipToken, useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import type { PostEvents } from '#shared/events/posts.ts'

type FeedHint = Parameters<PostEvents['feed.head']>[0]

const hintKey = (of: 'posts' | 'vehicles') => ['/api/inventory', 'hint', of] as const

/** Caches the server's latest hint for Find, which shows vehicles, and also for the feed if it counts new posts. */
export function keepFeedHint(cache: QueryClient, hint: FeedHint): void {
  cache.setQueryData(hintKey('vehicles'), hint)
  if (hint.newPosts > 0) cache.setQueryData(hintKey('posts'), hint)
}

function jitter(withinMs: number): number {
  const [random = 0] = crypto.getRandomValues(new Uint32Array(1))
  return (random / 2 ** 32) * withinMs
}

/**
 * After each hint, runs `onHint` with a random delay, so that clients do not all fetch at once.
 * @param laterMs an additional delay in milliseconds
 */
export function useFeedHint(of: 'posts' | 'vehicles', onHint: () => void, laterMs = 0): void {
  const hint = useQuery<FeedHint>({ queryKey: hintKey(of), queryFn: skipToken }).data
  const run = useEffectEvent(onHint)
  useEffect(() => {
    if (!hint) return
    const timer = setTimeout(run, laterMs + jitter(hint.jitterMs))
    return () => clearTimeout(timer)
  }, [hint, laterMs])
}
