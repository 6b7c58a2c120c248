import { Minus, X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useView } from '#client/lib/socket.ts'
import { Count } from '#client/ui/count.tsx'
import { cx } from '#client/ui/cx.ts'
import { IconButton } from '#client/ui/icon-button.tsx'
import { useEscapeKey } from './escape-key.ts'
import { MessagingComposer } from './messaging-composer.tsx'
import { MessagingLog } from './messaging-log.tsx'
import { ChatAvatar, ChatPerson, ChatSubject } from './messaging-window-parts.tsx'
import { type ChatHead, closeWindow, minimizeWindow, openWindow, unreadOf } from './messaging.store.ts'

const frame = 'flex flex-col overflow-hidden rounded-t-md bg-raised shadow-2'

/** An open chat of the dock. Escape closes it; the focus goes back to where it came from. */
export function MessagingWindow({ chat, isNewest }: { chat: ChatHead; isNewest: boolean }) {
  const frameRef = useRef<HTMLElement>(null)
  const box = useRef<HTMLTextAreaElement>(null)
  const close = useReturnFocus(chat.id)
  useView('chat', chat.id)
  // Only the window that was just opened takes the focus, not those that a reload brings back.
  useEffect(() => {
    if (isNewest && takesFocus === chat.id) box.current?.focus({ preventScroll: true })
    takesFocus = undefined
  }, [isNewest, chat.id])

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

let takesFocus: string | undefined
const openers = new Map<string, Element>()

/** Opens a chat's window on somebody's press: it takes the focus, and gives it back. */
export function focusWindow(chatId: string): void {
  takesFocus = chatId
  if (document.activeElement && document.activeElement !== document.body) openers.set(chatId, document.activeElement)
  openWindow(chatId)
}

function useReturnFocus(chatId: string): () => void {
  return () => {
    closeWindow(chatId)
    const opener = openers.get(chatId)
    const target = opener?.isConnected === true ? opener : document.querySelector('[data-dock-home]')
    openers.delete(chatId)
    if (target instanceof HTMLElement) target.focus()
  }
}
