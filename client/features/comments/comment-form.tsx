import Paperclip from 'lucide-react/icons/paperclip'
import X from 'lucide-react/icons/x'
import { type ChangeEvent, type FormEvent, useRef, useState } from 'react'
import { useCurrentDealer } from '#client/lib/session/current-dealer.ts'
import { commentDraftKey, saveDraft, useDraft } from '#client/lib/storage/drafts.ts'
import { hasUnknownType } from '#client/lib/files/upload-file.ts'
import { Avatar } from '#client/ui/avatar.tsx'
import { Button } from '#client/ui/button.tsx'
import { Field } from '#client/ui/field.tsx'
import { IconButton } from '#client/ui/icon-button.tsx'
import { Input } from '#client/ui/input.tsx'
import { toast } from '#client/ui/toast-store.ts'
import { attachmentMaxBytes, commentMax } from '#shared/limits.ts'
import { trimText } from '#shared/visible-text.ts'
import { useAddComment } from './comments.api.ts'

/** Keeps the text when the form closes. If sending fails, also keeps the attachment. */
export function CommentForm({ postId }: { postId: string }) {
  const me = useCurrentDealer()
  const text = useDraft(commentDraftKey(postId))
  const [file, setFile] = useState<File>()
  const field = useRef<HTMLInputElement>(null)
  const add = useAddComment(postId, me.id)
  const content = trimText(text)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!content || add.isPending) return
    // Move focus to the field: once the field is empty, the button is disabled and would lose focus.
    field.current?.focus()
    add.mutate(
      { content, file },
      {
        onSuccess: () => {
          setFile((chosen) => (chosen === file ? undefined : chosen))
          toast({ title: 'Comment added successfully' })
        },
      },
    )
  }
  return (
    <form onSubmit={submit} className="flex items-start gap-3">
      <Avatar name={me.name} src={me.avatar} size={32} />
      <div className="min-w-0 flex-1">
        <Field label="Add a comment" hideLabel>
          <Input
            ref={field}
            value={text}
            maxLength={commentMax}
            placeholder="Add a comment"
            autoComplete="off"
            onChange={(event) => saveDraft(commentDraftKey(postId), event.target.value)}
          />
        </Field>
        {file ? <ChosenFile file={file} onRemove={() => setFile(undefined)} /> : null}
      </div>
      <AttachButton onFile={setFile} />
      <Button type="submit" variant="primary" disabled={!content} busy={add.isPending}>
        {add.isPending ? 'POSTING...' : 'POST'}
      </Button>
    </form>
  )
}

function ChosenFile({ file, onRemove }: { file: File; onRemove: () => void }) {
  return (
    <p className="mt-1 flex items-center gap-1 text-xs text-ink-2">
      <Paperclip size={14} aria-hidden="true" />
      <span className="truncate">{file.name}</span>
      <IconButton label={`Remove ${file.name}`} size="sm" icon={<X size={14} />} onClick={onRemove} />
    </p>
  )
}

function AttachButton({ onFile }: { onFile: (file: File) => void }) {
  const input = useRef<HTMLInputElement>(null)
  const choose = (event: ChangeEvent<HTMLInputElement>) => {
    const file = event.target.files?.[0]
    event.target.value = ''
    if (!file) return
    if (!file.type.startsWith('image/') && file.type !== 'application/pdf' && !hasUnknownType(file)) {
      toast({ title: 'Invalid files', description: 'Please select an image or a PDF file', variant: 'destructive' })
    } else if (file.size > attachmentMaxBytes) {
      toast({ title: 'File too large', description: 'Attachments can be up to 10MB', variant: 'destructive' })
    } else onFile(file)
  }
  return (
    <>
      <input
        ref={input}
        type="file"
        accept="image/*,application/pdf"
        aria-label="Attachment"
        tabIndex={-1}
        className="hidden"
        onChange={choose}
      />
      <IconButton
        label="Attach an image or PDF"
        icon={<Paperclip size={18} />}
        onClick={() => input.current?.click()}
      />
    </>
  )
}
