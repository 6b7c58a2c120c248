import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { currentSocket, useConnection } from '#client/lib/socket.ts'
import type { Post } from '#shared/schemas/posts.ts'
import { refreshEdited } from './posts.cache.ts'

/** What one `sync` may ask about. */
const askedMax = 50

/**
 * At every connection asks which of these posts changed before their rooms were joined, and takes the new copies:
 * a page is often loaded a moment before its socket is.
 */
export function usePostCatchUp(posts: readonly Pick<Post, 'id' | 'version'>[]): void {
  const cache = useQueryClient()
  const connection = useConnection()
  const shown = useRef(posts)
  useEffect(() => {
    shown.current = posts
  }, [posts])
  useEffect(() => {
    const socket = currentSocket()
    if (connection !== 'live' || !socket || shown.current.length === 0) return
    const versions = Object.fromEntries(shown.current.slice(0, askedMax).map(({ id, version }) => [id, version]))
    socket.emit('sync', { dealer: 0, posts: versions }, (answer) => {
      if (!answer.ok) return
      for (const postId of Object.keys(answer.data.posts ?? {})) void refreshEdited(cache, postId)
    })
  }, [connection, cache])
}
