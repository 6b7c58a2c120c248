import { type QueryClient, skipToken, useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import type { PostEvents } from '#shared/events/posts.ts'

type FeedHint = Parameters<PostEvents['feed.head']>[0]

const hintKey = (of: 'posts' | 'vehicles') => ['/api/inventory', 'hint', of] as const

/** What the server last hinted at: vehicles come on offer with new posts, and without. Written by the event, never fetched. */
export function keepFeedHint(cache: QueryClient, hint: FeedHint): void {
  cache.setQueryData(hintKey('vehicles'), hint)
  if (hint.newPosts > 0) cache.setQueryData(hintKey('posts'), hint)
}

/** Spreads many clients over the time the server asks for. */
function jitter(withinMs: number): number {
  const [random = 0] = crypto.getRandomValues(new Uint32Array(1))
  return (random / 2 ** 32) * withinMs
}

/**
 * Runs for each hint at new posts, or at vehicles that came on offer, at a moment of one's own.
 * @param laterMs what has to be waited for besides
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
