import Pencil from 'lucide-react/icons/pencil'
import Trash2 from 'lucide-react/icons/trash'
import { type FormEvent, useRef, useState } from 'react'
import { serverNow } from '#client/lib/live/connection.ts'
import { isPressed, keys } from '#client/lib/keys/shortcuts.ts'
import { Button } from '#client/ui/button.tsx'
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx'
import { Field } from '#client/ui/field.tsx'
import { IconButton } from '#client/ui/icon-button.tsx'
import { usePanelFocus } from '#client/ui/modal-focus.ts'
import { Textarea } from '#client/ui/textarea.tsx'
import { commentEditMs, commentMax } from '#shared/limits.ts'
import type { Comment } from '#shared/schemas/comments.ts'
import { trimText } from '#shared/visible-text.ts'
import { useDeleteComment, useEditComment } from './comments.api.ts'

interface OwnCommentProps {
  postId: string
  comment: Comment
  onEdit: () => void
}

export function OwnCommentActions({ postId, comment, onEdit }: OwnCommentProps) {
  const remove = useDeleteComment(postId)
  const [asking, setAsking] = useState(false)
  const mayEdit = serverNow() - Date.parse(comment.createdAt) < commentEditMs
  return (
    <span className="flex flex-none">
      {mayEdit ? <IconButton label="Edit comment" size="sm" icon={<Pencil size={14} />} onClick={onEdit} /> : null}
      <IconButton label="Delete comment" size="sm" icon={<Trash2 size={14} />} onClick={() => setAsking(true)} />
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title="Delete this comment?"
        description="It disappears for everyone right away. This cannot be undone."
        confirmLabel="Delete"
        destructive
        busy={remove.isPending}
        onConfirm={() => remove.mutate(comment.id, { onSettled: () => setAsking(false) })}
      />
    </span>
  )
}

export function CommentEdit({ postId, comment, onDone }: { postId: string; comment: Comment; onDone: () => void }) {
  const [text, setText] = useState(comment.content)
  const form = useRef<HTMLFormElement>(null)
  usePanelFocus(form)
  const edit = useEditComment(postId)
  const content = trimText(text)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (content === comment.content) return onDone()
    if (content !== '' && !edit.isPending) edit.mutate({ id: comment.id, content }, { onSuccess: onDone })
  }
  return (
    <form ref={form} onSubmit={submit} className="mt-1 grid gap-2">
      <Field label="Comment" hideLabel>
        <Textarea
          value={text}
          maxLength={commentMax}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => isPressed(event, keys.close) && onDone()}
        />
      </Field>
      <span className="flex gap-2">
        <Button type="submit" size="sm" variant="primary" disabled={content === ''} busy={edit.isPending}>
          Save
        </Button>
        <Button size="sm" onClick={onDone}>
          Cancel
        </Button>
      </span>
    </form>
  )
}
