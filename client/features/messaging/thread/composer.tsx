import CircleAlert from 'lucide-react/icons/circle-exclamation-point'
import Paperclip from 'lucide-react/icons/paperclip'
import Send from 'lucide-react/icons/send'
import X from 'lucide-react/icons/x'
import { type ClipboardEvent, type FormEvent, type KeyboardEvent, type RefObject, useMemo, useRef } from 'react'
import { saveDraft, useDraft } from '#client/lib/storage/drafts.ts'
import { isPressed, keys } from '#client/lib/keys/shortcuts.ts'
import { Button } from '#client/ui/button.tsx'
import { IconButton } from '#client/ui/icon-button.tsx'
import { Textarea } from '#client/ui/textarea.tsx'
import { toastFailure } from '#client/ui/toast-store.ts'
import { messageMax } from '#shared/limits.ts'
import { isBlank } from '#shared/visible-text.ts'
import type { ChatHead } from '../messaging.api.ts'
import { messagingStore, type PendingUpload } from '../messaging.store.ts'
import { messageClient } from '../sync/current-client.ts'
import { attachmentTypes } from './attachments.ts'

interface MessagingComposerProps {
  chat: ChatHead
  box: RefObject<HTMLTextAreaElement | null>
}

export function MessagingComposer({ chat, box }: MessagingComposerProps) {
  const draft = useDraft(chat.id)
  const subject = messagingStore.use((state) => state.subjects[chat.id])
  if (chat.blocked) return <Blocked chat={chat} />

  const submit = (event?: FormEvent) => {
    event?.preventDefault()
    if (isBlank(draft)) return
    // Move focus to the box, because the Send button becomes disabled when the box is empty and would lose focus.
    box.current?.focus()
    messageClient().send(chat.id, draft, subject?.id)
    saveDraft(chat.id, '')
    dropSubject(chat.id)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isPressed(event, keys.send) || event.shiftKey) return
    event.preventDefault()
    submit()
  }
  const onPaste = (event: ClipboardEvent) => {
    const {
      files: [file],
      types,
    } = event.clipboardData
    // Spreadsheets and word processors copy a picture of the text, too. A file manager copies the file's name as plain text.
    const isText = types.includes('text/html') && event.clipboardData.getData('text/plain') !== ''
    if (file === undefined || isText) return
    event.preventDefault()
    messageClient().attachments.attach(chat.id, file)
  }
  return (
    <form onSubmit={submit} className="flex flex-wrap items-end gap-1 border-t border-line p-2">
      {subject ? <NextSubject chatId={chat.id} title={subject.title} /> : null}
      <Attach chatId={chat.id} />
      <Textarea
        ref={box}
        rows={1}
        aria-label={`Message to ${chat.other.name}`}
        placeholder="Write a message"
        maxLength={messageMax}
        value={draft}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
        onChange={(event) => {
          saveDraft(chat.id, event.target.value)
          if (!isBlank(event.target.value)) messageClient().typing.emit(chat.id)
        }}
        className="max-h-24 flex-1 resize-none! py-1.5 md:min-h-8! md:px-2 md:py-1"
      />
      <IconButton
        label="Send"
        type="submit"
        icon={<Send size={18} />}
        disabled={isBlank(draft)}
        className={isBlank(draft) ? '' : 'bg-accent-soft text-accent-ink'}
      />
    </form>
  )
}

const dropSubject = (chatId: string) => messagingStore.set(({ subjects }) => void delete subjects[chatId])

function NextSubject({ chatId, title }: { chatId: string; title: string }) {
  return (
    <p className="flex w-full items-center gap-1 rounded-sm bg-sunken pl-2 text-xs text-ink-2">
      <span className="line-clamp-2 min-w-0 flex-1 py-1 wrap-anywhere">About: {title}</span>
      <IconButton
        size="sm"
        label="Remove this post from the message"
        icon={<X size={14} />}
        onClick={() => dropSubject(chatId)}
      />
    </p>
  )
}

function Attach({ chatId }: { chatId: string }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        accept={attachmentTypes.join(',')}
        aria-label="Attachment"
        onChange={(event) => {
          const file = event.target.files?.[0]
          event.target.value = ''
          if (file) messageClient().attachments.attach(chatId, file)
        }}
      />
      <IconButton label="Attach a file" icon={<Paperclip size={18} />} onClick={() => input.current?.click()} />
    </>
  )
}

function Blocked({ chat }: { chat: ChatHead }) {
  const unblock = async () => {
    try {
      await messageClient().chats.change(chat.id, { blocked: false })
    } catch (error) {
      toastFailure('Dealer not unblocked', error)
    }
  }
  return (
    <div className="flex items-center gap-2 border-t border-line p-2 text-xs text-ink-2">
      <p className="flex-1">You have blocked {chat.other.name}.</p>
      <Button size="sm" onClick={() => void unblock()}>
        Unblock
      </Button>
    </div>
  )
}

const percent = 100

export function MessagingUploads({ chatId }: { chatId: string }) {
  const all = messagingStore.use((state) => state.uploads)
  const uploads = useMemo(() => all.filter((one) => one.chatId === chatId), [all, chatId])
  if (uploads.length === 0) return null
  return (
    <ul aria-label="Uploads" className="max-h-24 flex-none overflow-y-auto border-t border-line px-3 py-1 text-xs">
      {uploads.map((upload) => (
        <UploadRow key={upload.id} upload={upload} />
      ))}
    </ul>
  )
}

function UploadRow({ upload: { id, name, share, failure, isFinal = false } }: { upload: PendingUpload }) {
  const failed = failure !== undefined
  const Icon = failed ? CircleAlert : Paperclip
  return (
    <li className={failed ? 'text-danger-ink' : 'text-ink-2'}>
      <p className="flex items-center gap-2">
        <Icon size={14} aria-hidden="true" className="flex-none" />
        <span className="min-w-0 flex-1 truncate">{name}</span>
        {failed && !isFinal ? (
          <button
            type="button"
            onClick={() => messageClient().attachments.retryUpload(id)}
            className="rounded-sm font-semibold underline underline-offset-2 max-md:min-h-11 touch:min-h-11"
          >
            Retry
          </button>
        ) : null}
        {failed ? null : <span className="num">{Math.round(share * percent)} %</span>}
        <IconButton
          size="sm"
          label={`Remove ${name}`}
          icon={<X size={14} />}
          onClick={() => messageClient().attachments.dropUpload(id)}
        />
      </p>
      {failed ? <p role="alert">Not uploaded. {failure}</p> : null}
    </li>
  )
}
