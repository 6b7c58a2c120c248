import type { QueryClient } from '@tanstack/react-query'
import { hasComments, patchPost } from '#client/lib/post/cached-posts.ts'
import { defineSlice } from '#client/lib/storage/store-slice.ts'
import type { PostChange } from '#shared/events/posts.ts'
import { refreshEdited } from './posts.cache.ts'

/** Milliseconds to wait for a missing earlier change before fetching the post. */
const gapMs = 250

const pendingChanges = defineSlice<{ changes: Record<string, PostChange[]> }>('post-states', () => ({ changes: {} }))

/**
 * Applies a change to every cached copy. Returns false if a copy lacks an earlier change, or if only part of the change could be applied.
 */
function applyChange(cache: QueryClient, { postId, partial, since, ...state }: PostChange): boolean {
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

const applyAll = (cache: QueryClient, changes: readonly PostChange[]): PostChange[] =>
  changes.toSorted((a, b) => a.version - b.version).filter((change) => !applyChange(cache, change))

/** Applies a change to a post's counters and status. Changes may arrive in any order. */
export function receiveChange(cache: QueryClient, change: PostChange): void {
  const { postId } = change
  const known = pendingChanges.get().changes[postId]
  const left = applyAll(cache, [...(known ?? []), change])
  pendingChanges.set(({ changes }) => {
    if (left.length > 0) changes[postId] = left
    else delete changes[postId]
  })
  if (known === undefined && left.length > 0) setTimeout(() => applyOrFetch(cache, postId), gapMs)
}

function applyOrFetch(cache: QueryClient, postId: string): void {
  const newest = applyAll(cache, pendingChanges.get().changes[postId] ?? []).at(-1)
  pendingChanges.set(({ changes }) => void delete changes[postId])
  if (newest !== undefined) void refreshEdited(cache, postId, newest.version)
}
