import CircleAlert from 'lucide-react/icons/circle-exclamation-point'
import Paperclip from 'lucide-react/icons/paperclip'
import { Button } from '#client/ui/button.tsx'
import { Picture } from '#client/ui/picture.tsx'
import { Spinner } from '#client/ui/spinner.tsx'
import type { Comment } from '#shared/schemas/comments.ts'
import { useDropAttachment } from './comments.api.ts'

const frame =
  'mt-1 inline-flex min-h-7 max-w-full items-center gap-2 rounded-sm border px-2 text-xs font-medium max-md:min-h-11 touch:min-h-11'

interface CommentAttachmentProps {
  postId: string
  comment: Comment
  own: boolean
}

export function CommentAttachment({ postId, comment, own }: CommentAttachmentProps) {
  const { attachmentUrl: address, attachment } = comment
  if (address === null || attachment === null) return null
  const name = attachment.name ?? fileName(address)
  if (attachment.state === 'processing')
    return (
      <p role="status" className={`${frame} border-line bg-surface text-ink-2`}>
        <Spinner />
        <span className="truncate">Processing {name}</span>
      </p>
    )
  if (attachment.state === 'failed') return <Failed postId={postId} commentId={comment.id} name={name} own={own} />
  if (attachment.isPicture)
    return (
      <Picture
        src={`${address}?w=320`}
        alt={name}
        href={address}
        className="mt-1 h-32 w-48 max-w-full rounded-sm bg-pressed object-cover"
      />
    )
  return (
    <a
      href={address}
      target="_blank"
      rel="noopener noreferrer"
      className={`${frame} border-line-strong bg-surface hover:bg-hover`}
      // Downloads of files uploaded here get their original name.
      {...(attachment.name !== null && { download: name })}
    >
      <Paperclip size={14} aria-hidden="true" />
      <span className="truncate">{name}</span>
    </a>
  )
}

function Failed({ postId, commentId, name, own }: { postId: string; commentId: string; name: string; own: boolean }) {
  const drop = useDropAttachment(postId)
  return (
    <div className="mt-1 flex flex-wrap items-center gap-2">
      <p className={`${frame} mt-0 border-danger-line bg-danger-soft text-danger-ink`}>
        <CircleAlert size={14} aria-hidden="true" className="shrink-0" />
        <span>
          <span className="break-all">{name}</span> could not be processed
        </span>
      </p>
      {own ? (
        <Button
          size="sm"
          variant="ghost"
          busy={drop.isPending}
          onClick={() => drop.mutate(commentId)}
          aria-label={`Remove ${name}`}
        >
          Remove
        </Button>
      ) : null}
    </div>
  )
}

/** Returns the file name from an external URL, or `Attachment` for an upload, because its URL contains only an id. */
function fileName(address: string): string {
  if (address.startsWith('/api/objects/')) return 'Attachment'
  const last = new URL(address).pathname.split('/').at(-1) || 'Attachment'
  try {
    return decodeURIComponent(last)
  } catch {
    // The URL may contain an invalid escape sequence, because any dealer can post it.
    return last
  }
}
