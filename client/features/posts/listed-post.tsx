import { type ReactNode, useRef } from 'react'
import { useView } from '#client/lib/live/room-views.ts'
import type { Post } from '#shared/schemas/posts.ts'
import { useNearScreen } from './use-near-screen.ts'
import { usePostCatchUp } from './posts-catch-up.ts'

/** A post in a list other than the feed. Receives the post's changes only while it is near the screen. */
export function ListedPost({ post, children }: { post: Pick<Post, 'id' | 'title' | 'version'>; children: ReactNode }) {
  const article = useRef<HTMLElement>(null)
  const { near } = useNearScreen(article)
  useView('post', post.id, near)
  usePostCatchUp(post.id, post.version)
  return (
    <article ref={article} aria-label={post.title}>
      {children}
    </article>
  )
}
