import { skipToken, useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import type { PostEvents } from '#shared/events/posts.ts'

type FeedHint = Parameters<PostEvents['feed.head']>[0]

/** What the server last hinted about new posts; written by the event, never fetched. */
export const feedHintKey = ['/api/inventory', 'hint'] as const

/** Spreads many clients over the time the server asks for. */
function jitter(withinMs: number): number {
  const [random = 0] = crypto.getRandomValues(new Uint32Array(1))
  return (random / 2 ** 32) * withinMs
}

/**
 * Runs for each hint at new posts, at a moment of one's own.
 * @param laterMs what has to be waited for besides
 */
export function useFeedHint(onHint: () => void, laterMs = 0): void {
  const hint = useQuery<FeedHint>({ queryKey: feedHintKey, queryFn: skipToken }).data
  const run = useEffectEvent(onHint)
  useEffect(() => {
    if (!hint) return
    const timer = setTimeout(run, laterMs + jitter(hint.jitterMs))
    return () => clearTimeout(timer)
  }, [hint, laterMs])
}
