import { Flag } from 'lucide-react'
import { askToReport } from '#client/lib/reporting.ts'
import { IconButton } from '#client/ui/icon-button.tsx'
import type { Comment, Post } from '#shared/schemas/posts.ts'

/** On the posts of others. */
export function ReportPost({ post }: { post: Pick<Post, 'id' | 'title'> }) {
  return (
    <IconButton
      label="Report post"
      size="sm"
      icon={<Flag size={16} />}
      onClick={() => askToReport({ kind: 'post', id: post.id, name: post.title })}
    />
  )
}

/** On the comments of others. */
export function ReportComment({ comment }: { comment: Comment }) {
  const name = `${comment.dealer.name}: ${comment.content}`
  return (
    <IconButton
      label={`Report comment of ${comment.dealer.name}`}
      size="sm"
      icon={<Flag size={14} />}
      onClick={() => askToReport({ kind: 'comment', id: comment.id, name })}
    />
  )
}

/** What its author is told instead of what could be done with it. */
export function HiddenNotice({ what }: { what: 'post' | 'comment' }) {
  return (
    <p className="mt-2 rounded-md bg-warning-soft px-3 py-2 text-warning-ink">
      Hidden by a moderator. Only you can see this {what}.
    </p>
  )
}
