import { Paperclip, Send } from 'lucide-react'
import { type ClipboardEvent, type FormEvent, type KeyboardEvent, type RefObject, useRef } from 'react'
import { saveDraft, useDraft } from '#client/lib/drafts.ts'
import { Button } from '#client/ui/button.tsx'
import { IconButton } from '#client/ui/icon-button.tsx'
import { Textarea } from '#client/ui/textarea.tsx'
import { toastFailure } from '#client/ui/toast-store.ts'
import { messageMax } from '#shared/limits.ts'
import { attach, attachmentTypes } from './attachments.ts'
import { patchChat } from './messaging.api.ts'
import { send } from './messaging.outbox.ts'
import { type ChatHead, receiveChats } from './messaging.store.ts'
import { sayTyping } from './messaging-typing.ts'

interface MessagingComposerProps {
  chat: ChatHead
  box: RefObject<HTMLTextAreaElement | null>
}

/** Enter sends, Shift+Enter breaks the line; blank is never sent; the draft is kept per chat (spec A §4). */
export function MessagingComposer({ chat, box }: MessagingComposerProps) {
  const draft = useDraft(chat.id)
  if (chat.blocked) return <Blocked chat={chat} />

  const submit = (event?: FormEvent) => {
    event?.preventDefault()
    if (draft.trim() === '') return
    send(chat.id, draft)
    saveDraft(chat.id, '')
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // An input method uses Enter for itself (229 is what browsers say that do not set isComposing).
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing || event.keyCode === 229) return
    event.preventDefault()
    submit()
  }
  const onPaste = (event: ClipboardEvent) => {
    const [file] = event.clipboardData.files
    if (file === undefined) return
    event.preventDefault()
    attach(chat.id, file)
  }
  return (
    <form onSubmit={submit} className="flex items-end gap-1 border-t border-line p-2">
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
          if (event.target.value.trim() !== '') sayTyping(chat.id)
        }}
        className="max-h-24 resize-none! py-1.5 md:min-h-8! md:px-2 md:py-1"
      />
      <IconButton
        label="Send"
        type="submit"
        icon={<Send size={18} />}
        disabled={draft.trim() === ''}
        className={draft.trim() === '' ? '' : 'bg-accent-soft text-accent-ink'}
      />
    </form>
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
          if (file) attach(chatId, file)
        }}
      />
      <IconButton label="Attach a file" icon={<Paperclip size={18} />} onClick={() => input.current?.click()} />
    </>
  )
}

function Blocked({ chat }: { chat: ChatHead }) {
  const unblock = async () => {
    try {
      receiveChats([await patchChat(chat.id, { blocked: false })])
    } catch (error) {
      toastFailure('Not unblocked', error)
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
