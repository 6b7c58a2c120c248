import { useQuery } from '@tanstack/react-query'
import { reasonOf } from '#client/lib/api.ts'
import { Avatar } from '#client/ui/avatar.tsx'
import { useCurrentDealer } from '#client/lib/current-dealer.ts'
import { InlineError } from '#client/ui/inline-error.tsx'
import { RelativeTime } from '#client/ui/relative-time.tsx'
import { Loading, SkeletonRows } from '#client/ui/skeleton.tsx'
import type { Comment } from '#shared/schemas/posts.ts'
import { CommentAttachment } from './comment-attachment.tsx'
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
            <CommentItem key={comment.id} postId={postId} comment={comment} />
          ))}
        </ul>
      ) : null}
    </>
  )
}

function CommentItem({ postId, comment }: { postId: string; comment: Comment }) {
  const { dealer, content, createdAt } = comment
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
        <CommentAttachment postId={postId} comment={comment} own={dealer.id === me.id} />
        {comment.hidden ? <HiddenNotice what="comment" /> : null}
      </div>
      {dealer.id === me.id ? null : <ReportComment comment={comment} />}
    </li>
  )
}
