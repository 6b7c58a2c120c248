import type { QueryClient } from '@tanstack/react-query'
import { hasComments, patchPost } from '#client/lib/held-posts.ts'
import { defineSlice } from '#client/lib/slice.ts'
import type { PostChange } from '#shared/events/posts.ts'
import { refreshEdited } from './posts.cache.ts'

/** What came before the change it follows waits so long for it; then the post is asked for. */
const gapMs = 250

/** By post. */
const early = defineSlice<{ changes: Record<string, PostChange[]> }>('post-states', () => ({ changes: {} }))

/**
 * Takes one change wherever the post is held. A version is what tells a copy that lacks something: it rises by one, and only
 * with what it stands for. False: some copy lacks another change, or the rest of this one.
 */
function take(cache: QueryClient, { postId, partial, since, ...state }: PostChange): boolean {
  let isWhole = true
  patchPost(cache, postId, (post) => {
    const { version } = post
    if (state.version <= version) return post
    const isNext = (since ?? state.version - 1) <= version
    if (isNext && (partial !== true || hasComments(post, state.version))) return { ...post, ...state }
    isWhole = false
    return isNext ? { ...post, ...state, version } : post
  })
  return isWhole
}

const takeAll = (cache: QueryClient, changes: readonly PostChange[]): PostChange[] =>
  changes.toSorted((a, b) => a.version - b.version).filter((change) => !take(cache, change))

/** Counters and status after a change, in whatever order they come. */
export function receiveChange(cache: QueryClient, change: PostChange): void {
  const { postId } = change
  const known = early.get().changes[postId]
  const left = takeAll(cache, [...(known ?? []), change])
  early.set(({ changes }) => {
    if (left.length > 0) changes[postId] = left
    else delete changes[postId]
  })
  if (known === undefined && left.length > 0) setTimeout(() => fill(cache, postId), gapMs)
}

function fill(cache: QueryClient, postId: string): void {
  const newest = takeAll(cache, early.get().changes[postId] ?? []).at(-1)
  early.set(({ changes }) => void delete changes[postId])
  if (newest !== undefined) void refreshEdited(cache, postId, newest.version)
}
