import Flag from 'lucide-react/icons/flag'
import { askToReport } from '#client/lib/screen/report-subject.ts'
import { IconButton } from '#client/ui/icon-button.tsx'
import type { Post } from '#shared/schemas/posts.ts'

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
