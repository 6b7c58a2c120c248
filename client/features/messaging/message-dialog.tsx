import { useRef, useState } from 'react'
import { useIsMounted } from '#client/lib/screen/use-is-mounted.ts'
import { FormDialog } from '#client/ui/form-dialog.tsx'
import { Textarea } from '#client/ui/textarea.tsx'
import { toastFailure } from '#client/ui/toast-store.ts'
import { messageMax } from '#shared/limits.ts'
import { isBlank } from '#shared/visible-text.ts'
import { showChat, startChat } from './open-chat-with.ts'
import { messageClient } from './sync/current-client.ts'

interface MessageDialogProps {
  dealer: { id: string; name: string }
  postId?: string
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** Sends a first message to a dealer. If the dialog is closed before the chat is ready, nothing is sent. */
export function MessageDialog({ dealer, postId, open, onOpenChange }: MessageDialogProps) {
  const [text, setText] = useState('')
  const [isSending, setSending] = useState(false)
  const isShown = useIsMounted()
  const isGivenUp = useRef(false)
  const giveUp = () => {
    isGivenUp.current = true
    onOpenChange(false)
  }
  const submit = async () => {
    setSending(true)
    try {
      const chatId = await startChat(dealer.id)
      if (chatId === undefined || isGivenUp.current) return
      messageClient().send(chatId, text, postId)
      // Do not close a dialog that was opened for another dealer in the meantime.
      if (isShown()) onOpenChange(false)
      showChat(chatId)
    } catch (error) {
      if (!isGivenUp.current) toastFailure('The message was not sent', error)
    } finally {
      setSending(false)
    }
  }
  return (
    <FormDialog
      open={open}
      title={`Message ${dealer.name}`}
      confirmLabel="Send Message"
      busy={isSending}
      disabled={isBlank(text)}
      onSubmit={() => void submit()}
      onClose={giveUp}
    >
      <Textarea
        rows={5}
        aria-label={`Message to ${dealer.name}`}
        placeholder="Write a message"
        maxLength={messageMax}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
    </FormDialog>
  )
}
