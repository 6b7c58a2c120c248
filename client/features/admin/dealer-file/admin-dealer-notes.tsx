import StickyNote from 'lucide-react/icons/sticky-note'
import Trash2 from 'lucide-react/icons/trash'
import { type FormEvent, useRef, useState } from 'react'
import { useKeptFormState } from '#client/lib/storage/kept-forms.ts'
import { dealerNoteMax } from '#shared/limits.ts'
import type { DealerFile } from '#shared/schemas/admin.ts'
import { Button } from '#client/ui/button.tsx'
import { Card, CardBody, CardHeader } from '#client/ui/card.tsx'
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { Field } from '#client/ui/field.tsx'
import { formatDateTime } from '#client/ui/format.ts'
import { IconButton } from '#client/ui/icon-button.tsx'
import { Textarea } from '#client/ui/textarea.tsx'
import { AdminDealerLink } from '../admin-dealer-link.tsx'
import { useAddNote, useDeleteNote } from './admin-dealer.api.ts'

type Note = DealerFile['notes'][number]

/** `closed` is true if the account was deleted, so that no notes can be added. */
export function DealerNotes({ id, notes, closed }: { id: string; notes: readonly Note[]; closed: boolean }) {
  const [removing, setRemoving] = useState<Note>()
  const remove = useDeleteNote()
  return (
    <Card aria-label="Notes">
      <CardHeader title="Notes">
        <span className="text-xs text-ink-2">For admins only</span>
      </CardHeader>
      {closed ? null : <NoteForm id={id} />}
      {notes.length === 0 ? (
        <EmptyState level={3} compact icon={<StickyNote size={24} />} title="No notes yet" />
      ) : (
        <ul className="pb-1">
          {notes.map((note) => (
            <li key={note.id} className="flex items-start gap-2 border-line px-4 py-2.5 not-last:border-b">
              <div className="min-w-0 flex-1">
                <p className="wrap-anywhere whitespace-pre-line">{note.text}</p>
                <p className="num text-xs text-ink-2">
                  <AdminDealerLink id={note.author.id}>{note.author.name}</AdminDealerLink>,{' '}
                  {formatDateTime(note.createdAt)}
                </p>
              </div>
              <IconButton
                label={`Delete the note from ${formatDateTime(note.createdAt)}`}
                icon={<Trash2 size={16} />}
                onClick={() => setRemoving(note)}
              />
            </li>
          ))}
        </ul>
      )}
      <ConfirmDialog
        open={removing !== undefined}
        onOpenChange={() => setRemoving(undefined)}
        title="Delete this note?"
        description="The note is deleted for all admins. This cannot be undone."
        confirmLabel="Delete"
        destructive
        busy={remove.isPending}
        onConfirm={() => {
          if (removing) remove.mutate({ id, noteId: removing.id }, { onSettled: () => setRemoving(undefined) })
        }}
      />
    </Card>
  )
}

function NoteForm({ id }: { id: string }) {
  const add = useAddNote()
  const {
    values: { text },
    replace,
    sent: begin,
  } = useKeptFormState(`note.${id}`, { text: '' })
  const field = useRef<HTMLTextAreaElement>(null)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const sent = text.trim()
    // Move focus to the field: once the field is empty, the button is disabled and would lose focus.
    field.current?.focus()
    if (sent !== '')
      void add.mutateAsync({ id, text: sent }).then(
        () => begin({ text }),
        () => undefined,
      )
  }
  return (
    <CardBody>
      <form noValidate onSubmit={submit} className="space-y-2">
        <Field label="New note" hideLabel>
          <Textarea
            ref={field}
            rows={3}
            value={text}
            maxLength={dealerNoteMax}
            placeholder="What other admins should know"
            onChange={(event) => replace({ text: event.target.value })}
          />
        </Field>
        <Button type="submit" disabled={text.trim() === ''} busy={add.isPending}>
          Add note
        </Button>
      </form>
    </CardBody>
  )
}
