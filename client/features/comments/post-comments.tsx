import { useQuery } from '@tanstack/react-query'
import Flag from 'lucide-react/icons/flag'
import { type Ref, type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { reasonOf } from '#client/lib/http/api.ts'
import { useCurrentDealer } from '#client/lib/session/current-dealer.ts'
import { postQuery } from '#client/lib/post/cached-posts.ts'
import { useOpened } from '#client/lib/post/count-views.ts'
import { askToReport } from '#client/lib/screen/report-subject.ts'
import { Avatar } from '#client/ui/avatar.tsx'
import { DealerLink } from '#client/ui/dealer-link.tsx'
import { Button } from '#client/ui/button.tsx'
import { HiddenNotice } from '#client/ui/hidden-notice.tsx'
import { IconButton } from '#client/ui/icon-button.tsx'
import { InlineError } from '#client/ui/inline-error.tsx'
import { QueryError } from '#client/ui/query-state.tsx'
import { RelativeTime } from '#client/ui/relative-time.tsx'
import { Loading, SkeletonRows } from '#client/ui/skeleton.tsx'
import type { Comment } from '#shared/schemas/comments.ts'
import type { PostDetail } from '#shared/schemas/posts.ts'
import { CommentAttachment } from './comment-attachment.tsx'
import { CommentForm } from './comment-form.tsx'
import { CommentEdit, OwnCommentActions } from './own-comment.tsx'
import { useEarlierComments } from './comments.api.ts'

export function PostComments({ postId, id }: { postId: string; id: string }) {
  useOpened(postId)
  return (
    <section id={id} aria-label="Comments" className="rounded-b-md border-t border-line bg-sunken px-4 py-3">
      <CommentForm postId={postId} />
      <CommentList postId={postId} />
    </section>
  )
}

function CommentList({ postId }: { postId: string }) {
  const post = useQuery(postQuery(postId))
  const comments = post.data?.comments
  return (
    <>
      <QueryError query={post} failure="Comments could not be loaded" className="mt-3" />
      {post.isPending ? (
        <Loading label="Loading comments">
          <SkeletonRows rows={2} />
        </Loading>
      ) : null}
      {comments?.length === 0 ? <p className="pt-3 text-ink-2">No comments yet. Be the first to comment!</p> : null}
      {post.data && post.data.comments.length > 0 ? <LoadedComments post={post.data} /> : null}
    </>
  )
}

function LoadedComments({ post: { id, comments, earlierComments } }: { post: PostDetail }) {
  const list = useRef<HTMLUListElement>(null)
  const head = useRef<HTMLDivElement>(null)
  const keepScroll = useKeptScroll({ list, head, earlier: earlierComments })
  return (
    <>
      <EarlierComments postId={id} address={earlierComments} ref={head} beforeShown={keepScroll} />
      <ul ref={list}>
        {comments.map((comment) => (
          <CommentItem key={comment.id} postId={id} comment={comment} />
        ))}
      </ul>
    </>
  )
}

interface EarlierCommentsProps {
  postId: string
  address: string | null
  ref: Ref<HTMLDivElement>
  beforeShown: () => void
}

function EarlierComments({ postId, address, ref, beforeShown }: EarlierCommentsProps) {
  const load = useEarlierComments(postId)
  // Keep the error during a retry, so that the Retry button keeps focus. The error disappears once the page has loaded.
  const [failure, setFailure] = useState<{ address: string | null; error: Error }>()
  const show = () => load.mutate(beforeShown, { onError: (error) => setFailure({ address, error }) })
  if (address === null && !load.isSuccess) return null
  return (
    <div ref={ref} className="flex flex-col items-start gap-2 pt-3">
      {failure?.address === address && failure ? (
        <InlineError
          title="Earlier comments could not be loaded"
          message={reasonOf(failure.error)}
          retrying={load.isPending}
          onRetry={show}
        />
      ) : null}
      {address === null ? null : (
        <Button size="sm" busy={load.isPending} onClick={show}>
          {load.isPending ? 'Loading earlier comments' : 'Show earlier comments'}
        </Button>
      )}
      <p role="status" className={address === null ? 'text-xs text-ink-3' : 'sr-only'}>
        {load.isSuccess ? (address === null && 'No earlier comments') || 'Earlier comments are shown' : null}
      </p>
    </div>
  )
}

interface Place {
  list: RefObject<HTMLUListElement | null>
  head: RefObject<HTMLDivElement | null>
  /** URL of the page of earlier comments. The URL changes when comments were added at the top. */
  earlier: string | null
}

/** Keeps the scroll position and focus when comments are added at the top. Returns a function to call just before they are added. */
function useKeptScroll({ list, head, earlier }: Place): () => void {
  const kept = useRef<{ item: HTMLElement; top: number; focused: boolean }>(undefined)
  useLayoutEffect(() => {
    if (kept.current === undefined) return
    const { item, top, focused } = kept.current
    kept.current = undefined
    window.scrollBy({ top: item.getBoundingClientRect().top - top, behavior: 'instant' })
    if (!focused || head.current?.contains(document.activeElement)) return
    const next = head.current?.querySelector('button') ?? item
    if (next === item) item.tabIndex = -1
    next.focus({ preventScroll: true })
  }, [earlier, head])
  return () => {
    const item = list.current?.querySelector('li')
    if (!item) return
    const focused = head.current?.contains(document.activeElement) ?? false
    kept.current = { item, top: item.getBoundingClientRect().top, focused }
  }
}

function CommentItem({ postId, comment }: { postId: string; comment: Comment }) {
  const { dealer, content, createdAt, editedAt } = comment
  const own = dealer.id === useCurrentDealer().id
  const [editing, setEditing] = useState(false)
  return (
    <li className="flex gap-3 pt-3">
      <Avatar name={dealer.name} src={dealer.avatar} size={32} />
      <div className="min-w-0 flex-1">
        <p>
          <DealerLink dealer={dealer} className="font-semibold" />{' '}
          <RelativeTime iso={createdAt} className="num text-xs text-ink-3" />
          {editedAt === undefined ? null : <span className="text-xs text-ink-3"> · edited</span>}
        </p>
        {editing ? (
          <CommentEdit postId={postId} comment={comment} onDone={() => setEditing(false)} />
        ) : (
          <p className="whitespace-pre-line text-ink-2">{content}</p>
        )}
        <CommentAttachment postId={postId} comment={comment} own={own} />
        {comment.hidden ? <HiddenNotice what="comment" /> : null}
      </div>
      {own ? (
        <OwnCommentActions postId={postId} comment={comment} onEdit={() => setEditing(true)} />
      ) : (
        <ReportComment comment={comment} />
      )}
    </li>
  )
}

function ReportComment({ comment }: { comment: Comment }) {
  const name = `${comment.dealer.name}: ${comment.content}`
  return (
    <IconButton
      label={`Report comment by ${comment.dealer.name}`}
      size="sm"
      icon={<Flag size={14} />}
      onClick={() => askToReport({ kind: 'comment', id: comment.id, name })}
    />
  )
}
