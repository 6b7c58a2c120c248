import ArrowLeft from 'lucide-react/icons/arrow-left'
import MessagesSquare from 'lucide-react/icons/messages-square'
import { useEffect, useRef } from 'react'
import { useView } from '#client/lib/live/room-views.ts'
import { Button } from '#client/ui/button.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { useEscapeKey } from '#client/ui/escape-key.ts'
import { isNarrow } from '#client/ui/screen-width.ts'
import { IconButton } from '#client/ui/icon-button.tsx'
import { MessagingComposer, MessagingUploads } from './composer.tsx'
import { MessagingLog } from './thread-log.tsx'
import { ChatPerson } from '../dock/dock-window.tsx'
import { useChat } from '../use-chats.ts'
import type { ChatHead } from '../messaging.api.ts'

interface MessagingPageChatProps {
  chatId: string | undefined
  onBack: () => void
  onFullChat: (chatId: string) => void
}

export function MessagingPageChat({ chatId, onBack, onFullChat }: MessagingPageChatProps) {
  const chat = useChat(chatId)
  if (chat === undefined)
    return (
      <div className="flex flex-1 items-center justify-center max-md:hidden">
        <EmptyState
          icon={<MessagesSquare size={24} />}
          title="Select a conversation to start messaging"
          hint="Your conversations are on the left."
        />
      </div>
    )
  return <OpenChat key={chat.id} chat={chat} onBack={onBack} onFullChat={() => onFullChat(chat.id)} />
}

function OpenChat({ chat, onBack, onFullChat }: { chat: ChatHead; onBack: () => void; onFullChat: () => void }) {
  const frame = useRef<HTMLElement>(null)
  const box = useRef<HTMLTextAreaElement>(null)
  useEscapeKey(frame, onBack)
  useView('chat', chat.id)
  // On a phone, do not focus the message box, because the keyboard would cover the messages.
  useEffect(() => (isNarrow() ? frame : box).current?.focus({ preventScroll: true }), [])
  return (
    <section
      ref={frame}
      tabIndex={-1}
      aria-label={`Chat with ${chat.other.name}`}
      data-wide
      className="group flex min-w-0 flex-1 flex-col bg-surface focus:outline-none max-md:fixed max-md:inset-0 max-md:z-60 max-md:pb-[env(safe-area-inset-bottom)]"
    >
      <header className="flex h-14 flex-none items-center gap-2 border-b border-line px-3 max-md:px-1">
        <span className="contents md:hidden">
          <IconButton label="Back to conversations" icon={<ArrowLeft size={20} />} onClick={onBack} />
        </span>
        <ChatPerson chat={chat} />
        <Button size="sm" className="max-md:hidden" onClick={onFullChat}>
          Open Full Chat
        </Button>
      </header>
      <MessagingLog chat={chat} />
      <MessagingUploads chatId={chat.id} />
      <MessagingComposer chat={chat} box={box} />
    </section>
  )
}
