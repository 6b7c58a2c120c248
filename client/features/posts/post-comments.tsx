import { useQuery } from '@tanstack/react-query'
import { Paperclip } from 'lucide-react'
import { reasonOf } from '#client/lib/api.ts'
import { Avatar } from '#client/ui/avatar.tsx'
import { useCurrentDealer } from '#client/lib/current-dealer.ts'
import { InlineError } from '#client/ui/inline-error.tsx'
import { RelativeTime } from '#client/ui/relative-time.tsx'
import { Loading, SkeletonRows } from '#client/ui/skeleton.tsx'
import type { Comment } from '#shared/schemas/posts.ts'
import { CommentForm } from './comment-form.tsx'
import { HiddenNotice, ReportComment } from './post-report.tsx'
import { postQuery } from './posts.api.ts'

/** Form first, then the list, oldest first. The post is loaded when this opens (spec A §7). */
export function PostComments({ postId, id }: { postId: string; id: string }) {
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
      {post.isError ? (
        <div className="mt-3">
          <InlineError
            title="Comments could not be loaded"
            message={reasonOf(post.error)}
            retrying={post.isFetching}
            onRetry={() => void post.refetch()}
          />
        </div>
      ) : null}
      {post.isPending ? (
        <Loading label="Loading comments">
          <SkeletonRows rows={2} />
        </Loading>
      ) : null}
      {comments?.length === 0 ? <p className="pt-3 text-ink-2">No comments yet. Be the first to comment!</p> : null}
      {comments && comments.length > 0 ? (
        <ul>
          {comments.map((comment) => (
            <CommentItem key={comment.id} comment={comment} />
          ))}
        </ul>
      ) : null}
    </>
  )
}

function CommentItem({ comment }: { comment: Comment }) {
  const { dealer, content, createdAt, attachmentUrl } = comment
  const me = useCurrentDealer()
  return (
    <li className="flex gap-3 pt-3">
      <Avatar name={dealer.name} src={dealer.avatar} size={32} />
      <div className="min-w-0 flex-1">
        <p>
          <span className="font-semibold">{dealer.name}</span>{' '}
          <RelativeTime iso={createdAt} className="num text-xs text-ink-3" />
        </p>
        <p className="whitespace-pre-line text-ink-2">{content}</p>
        {attachmentUrl ? <Attachment address={attachmentUrl} /> : null}
        {comment.hidden ? <HiddenNotice what="comment" /> : null}
      </div>
      {dealer.id === me.id ? null : <ReportComment comment={comment} />}
    </li>
  )
}

function Attachment({ address }: { address: string }) {
  return (
    <a
      href={address}
      target="_blank"
      rel="noopener noreferrer"
      className="mt-1 inline-flex h-7 max-w-full items-center gap-2 rounded-sm border border-line-strong bg-surface px-2 text-xs font-medium hover:bg-hover max-md:h-11"
    >
      <Paperclip size={14} aria-hidden="true" />
      <span className="truncate">{fileName(address)}</span>
    </a>
  )
}

function fileName(address: string): string {
  const path = address.split(/[?#]/)[0] ?? address
  return decodeURIComponent(path.split('/').at(-1) || 'Attachment')
}
