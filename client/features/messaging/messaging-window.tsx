import { Minus, X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useView } from '#client/lib/views.ts'
import { Count } from '#client/ui/count.tsx'
import { cx } from '#client/ui/cx.ts'
import { IconButton } from '#client/ui/icon-button.tsx'
import { useEscapeKey } from './escape-key.ts'
import { MessagingComposer } from './messaging-composer.tsx'
import { MessagingLog } from './messaging-log.tsx'
import { MessagingUploads } from './messaging-uploads.tsx'
import { ChatAvatar, ChatPerson, ChatSubject } from './messaging-window-parts.tsx'
import { closeWindow, minimizeWindow } from './dock-windows.ts'
import { type ChatHead, unreadOf } from './messaging.store.ts'
import { focusWindow, leaveWindow, takesFocus } from './window-focus.ts'

const frame = 'flex flex-col overflow-hidden rounded-t-md bg-raised shadow-2'

/** An open chat of the dock. Escape closes it; the focus goes back to where it came from. */
export function MessagingWindow({ chat, used }: { chat: ChatHead; used: number }) {
  const frameRef = useRef<HTMLElement>(null)
  const box = useRef<HTMLTextAreaElement>(null)
  const close = () => leaveWindow(chat.id)
  useView('chat', chat.id)
  useEffect(() => {
    if (!takesFocus(chat.id)) return
    // A dialog that led here gives the focus back in a moment of its own.
    const timer = setTimeout(() => box.current?.focus({ preventScroll: true }))
    return () => clearTimeout(timer)
  }, [used, chat.id])

  useEscapeKey(frameRef, close)
  const unread = unreadOf(chat)
  return (
    <section
      ref={frameRef}
      aria-label={`Chat with ${chat.other.name}`}
      className={cx(frame, 'group/window h-[min(368px,calc(100dvh-72px))] w-68 animate-rise')}
    >
      <header
        className={cx(
          'flex h-12 flex-none items-center gap-2 border-b border-line pr-2 pl-3',
          'group-focus-within/window:shadow-[inset_0_2px_0_var(--lw-accent)]',
          unread > 0 && 'bg-accent-soft',
        )}
      >
        <ChatPerson chat={chat} withPageLink />
        {unread > 0 ? <Count value={unread} tone="accent" /> : null}
        <IconButton size="sm" label="Minimise" icon={<Minus size={18} />} onClick={() => minimizeWindow(chat.id)} />
        <IconButton size="sm" label="Close chat" icon={<X size={18} />} onClick={close} />
      </header>
      <ChatSubject chat={chat} />
      <MessagingLog chat={chat} />
      <MessagingUploads chatId={chat.id} />
      <MessagingComposer chat={chat} box={box} />
    </section>
  )
}

/** A window folded to its header. */
export function MinimizedWindow({ chat }: { chat: ChatHead }) {
  const unread = unreadOf(chat)
  const name = `Chat with ${chat.other.name}${unread > 0 ? `, ${unread} unread` : ''}`
  return (
    <section
      aria-label={`${name}, minimised`}
      className={cx(frame, 'h-12 w-52 flex-row items-center gap-2 pr-2 pl-3', unread > 0 && 'bg-accent-soft')}
    >
      <button
        type="button"
        onClick={() => focusWindow(chat.id)}
        className="flex min-w-0 flex-1 items-center gap-2 self-stretch text-left -outline-offset-2"
      >
        <ChatAvatar chat={chat} />
        <span className="min-w-0 flex-1 truncate font-semibold">{chat.other.name}</span>
        <span className="sr-only">: expand chat{unread > 0 ? `, ${unread} unread` : ''}</span>
      </button>
      {unread > 0 ? <Count value={unread} tone="accent" /> : null}
      <IconButton size="sm" label="Close chat" icon={<X size={18} />} onClick={() => closeWindow(chat.id)} />
    </section>
  )
}
