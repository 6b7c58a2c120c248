import { useQuery } from '@tanstack/react-query'
import Newspaper from 'lucide-react/icons/newspaper'
import { useState } from 'react'
import type { IssueInput, IssuePreview, NewsletterIssue } from '#shared/schemas/site.ts'
import { Badge } from '#client/ui/badge.tsx'
import { Button } from '#client/ui/button.tsx'
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { Field } from '#client/ui/field.tsx'
import { useFormState } from '#client/ui/form-state.ts'
import { formatDateTime, formatNumber, plural } from '#client/ui/format.ts'
import { QueryError } from '#client/ui/query-state.tsx'
import { Input } from '#client/ui/input.tsx'
import { Loading, Skeleton } from '#client/ui/skeleton.tsx'
import { Textarea } from '#client/ui/textarea.tsx'
import {
  issuePreviewQuery,
  issuesQuery,
  useChangeIssue,
  useDeleteIssue,
  useSendIssue,
  useWriteIssue,
} from './admin-published.api.ts'
import { EditDialog, WriteCard, type WrittenFormProps, WrittenList } from './admin-write-and-list.tsx'

export function AdminIssues() {
  const write = useWriteIssue()
  const issues = useQuery(issuesQuery())
  return (
    <>
      <WriteCard
        title="Write Issue"
        action="Save draft"
        Form={IssueForm}
        initial={{ subject: '', text: '' }}
        busy={write.isPending}
        onSubmit={write.mutateAsync}
      />
      <WrittenList
        title="Issues"
        what="issues"
        query={issues}
        empty={{
          icon: <Newspaper size={24} />,
          title: 'No issues yet',
          hint: 'You preview a draft before sending it.',
        }}
        renderRow={(issue) => <IssueRow key={issue.id} issue={issue} />}
      />
    </>
  )
}

function IssueForm({ id, initial, onSubmit, keep }: WrittenFormProps<IssueInput>) {
  const form = useFormState({
    initial,
    validate: ({ subject, text }) => ({
      ...(subject.trim() === '' && { subject: 'Subject is required' }),
      ...(text.trim() === '' && { text: 'Text is required' }),
    }),
    onSubmit,
    ...(keep && { keep }),
  })
  const { values, errors, set } = form
  return (
    <form id={id} noValidate onSubmit={form.submit} className="space-y-3">
      <Field label="Subject" required error={errors.subject}>
        <Input value={values.subject} maxLength={150} onChange={(event) => set('subject', event.target.value)} />
      </Field>
      <Field label="Text" required error={errors.text} hint="Plain text. An unsubscribe link is added below it.">
        <Textarea
          rows={10}
          value={values.text}
          maxLength={20_000}
          onChange={(event) => set('text', event.target.value)}
        />
      </Field>
    </form>
  )
}

function stateOf({ sentAt, recipients, delivered }: NewsletterIssue): string {
  if (sentAt === null) return 'Draft'
  if (recipients > 0 && delivered === recipients) return `Sent to ${formatNumber(recipients)}`
  return recipients === 0 ? 'Sending' : `Sending, ${formatNumber(delivered)} of ${formatNumber(recipients)} sent`
}

function IssueRow({ issue }: { issue: NewsletterIssue }) {
  const [open, setOpen] = useState<'edit' | 'preview' | 'delete'>()
  const remove = useDeleteIssue()
  const { id, subject, text, sentAt, updatedAt } = issue
  const isDraft = sentAt === null
  const close = () => setOpen(undefined)
  return (
    <li className="border-t border-line p-4 first:border-t-0">
      <div className="flex flex-wrap items-center gap-2">
        <h3 className="min-w-0 font-semibold wrap-anywhere">{subject}</h3>
        <Badge tone={isDraft ? 'neutral' : 'success'}>{stateOf(issue)}</Badge>
      </div>
      <p className="mt-1 line-clamp-2 max-w-prose wrap-anywhere text-ink-2">{text}</p>
      <p className="num mt-1 text-xs text-ink-3">
        {isDraft ? `Saved ${formatDateTime(updatedAt)}` : `Sent ${formatDateTime(sentAt)}`}
      </p>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button
          onClick={() => setOpen('preview')}
          aria-label={`${isDraft ? 'Preview and send' : 'Preview'} ${subject}`}
        >
          {isDraft ? 'PREVIEW AND SEND' : 'PREVIEW'}
        </Button>
        {isDraft ? (
          <>
            <Button onClick={() => setOpen('edit')} aria-label={`Edit ${subject}`}>
              EDIT
            </Button>
            <Button variant="danger-ghost" onClick={() => setOpen('delete')} aria-label={`Delete ${subject}`}>
              DELETE
            </Button>
          </>
        ) : null}
      </div>
      {open === 'preview' ? <PreviewDialog issue={issue} onClose={close} /> : null}
      {open === 'edit' ? <EditIssueDialog issue={issue} onClose={close} /> : null}
      <ConfirmDialog
        open={open === 'delete'}
        onOpenChange={close}
        title={`Delete “${subject}”?`}
        description="The draft is permanently deleted."
        confirmLabel="Delete"
        destructive
        busy={remove.isPending}
        onConfirm={() => remove.mutate(id, { onSuccess: close })}
      />
    </li>
  )
}

function EditIssueDialog({ issue: { id, subject, text }, onClose }: { issue: NewsletterIssue; onClose: () => void }) {
  const change = useChangeIssue()
  return (
    <EditDialog
      title="Edit issue"
      onClose={onClose}
      Form={IssueForm}
      initial={{ subject, text }}
      busy={change.isPending}
      onSubmit={(wanted, done) => change.mutate({ id, ...wanted }, { onSuccess: done })}
    />
  )
}

function PreviewDialog({ issue: { id, sentAt }, onClose }: { issue: NewsletterIssue; onClose: () => void }) {
  const preview = useQuery(issuePreviewQuery(id))
  const send = useSendIssue()
  const mail = preview.data
  const sendRead = ({ updatedAt }: IssuePreview) =>
    // The server rejects the request if another admin has changed the issue in the meantime. Show the new version in that case.
    send.mutate({ id, updatedAt }, { onSuccess: onClose, onError: () => void preview.refetch() })
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Preview"
      description="The email as subscribers receive it."
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          {sentAt === null && mail && mail.recipients > 0 ? (
            <Button variant="primary" busy={send.isPending} onClick={() => sendRead(mail)}>
              Send to {plural(mail.recipients, 'subscriber')}
            </Button>
          ) : null}
        </>
      }
    >
      <QueryError query={preview} failure="The preview could not be loaded" />
      {preview.isPending ? (
        <Loading label="Loading the preview">
          <Skeleton className="h-40" />
        </Loading>
      ) : null}
      {mail ? (
        <>
          <p className="font-semibold wrap-anywhere">{mail.subject}</p>
          <p className="mt-2 text-base wrap-anywhere whitespace-pre-line">{mail.text}</p>
          {sentAt === null && mail.recipients === 0 ? (
            <p className="mt-3 text-ink-2">No subscribers yet, so there is no one to send it to.</p>
          ) : null}
        </>
      ) : null}
    </Dialog>
  )
}
