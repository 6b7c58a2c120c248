import { Flag } from 'lucide-react'
import { askToReport } from '#client/lib/reporting.ts'
import { IconButton } from '#client/ui/icon-button.tsx'
import type { Comment } from '#shared/schemas/comments.ts'

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
