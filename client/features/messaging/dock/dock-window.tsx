import Ban from 'lucide-react/icons/ban'
import BellOff from 'lucide-react/icons/bell-off'
import BellRing from 'lucide-react/icons/bell-ring'
import ChevronDown from 'lucide-react/icons/chevron-down'
import Minus from 'lucide-react/icons/minus'
import SquareArrowOutUpRight from 'lucide-react/icons/square-arrow-up-right-exit'
import X from 'lucide-react/icons/x'
import CircleUser from 'lucide-react/icons/circle-user'
import { useEffect, useRef, useState } from 'react'
import { useView } from '#client/lib/live/room-views.ts'
import { Avatar } from '#client/ui/avatar.tsx'
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx'
import { Count } from '#client/ui/count.tsx'
import { cx } from '#client/ui/cx.ts'
import { useEscapeKey } from '#client/ui/escape-key.ts'
import { IconButton } from '#client/ui/icon-button.tsx'
import { Menu, MenuItem, MenuLink, type MenuProps } from '#client/ui/menu.tsx'
import { toastFailure } from '#client/ui/toast-store.ts'
import type { ChatPatch } from '#shared/schemas/messaging.ts'
import { type ChatHead, chatPath } from '../messaging.api.ts'
import { closeWindow, messagingStore, minimizeWindow } from '../messaging.store.ts'
import { messageClient } from '../sync/current-client.ts'
import { MessagingComposer, MessagingUploads } from '../thread/composer.tsx'
import { MessagingLog } from '../thread/thread-log.tsx'
import { focusWindow, leaveWindow, takesFocus } from './window-focus.ts'

export function ChatPerson({ chat, withPageLink = false }: { chat: ChatHead; withPageLink?: boolean }) {
  return (
    <>
      <ChatAvatar chat={chat} />
      <ChatMenu chat={chat} withPageLink={withPageLink}>
        <button type="button" className="min-w-0 flex-1 rounded-sm text-left leading-4 max-md:min-h-11">
          <span className="flex items-center gap-1">
            <span className="truncate font-semibold">{chat.other.name}</span>
            {chat.muted ? <MutedMark /> : null}
            <ChevronDown size={12} aria-hidden="true" className="flex-none text-ink-3" />
          </span>
          <span className="block truncate text-xs text-ink-2">{chat.other.dealershipName}</span>
          <span className="sr-only">: chat options</span>
        </button>
      </ChatMenu>
    </>
  )
}

export const MutedMark = () => <BellOff size={12} aria-label="muted" className="flex-none text-ink-3" />

export function ChatAvatar({ chat, isWatched = true }: { chat: ChatHead; isWatched?: boolean }) {
  useView('dealer', chat.other.id, isWatched)
  const online = messagingStore.use((state) => state.online[chat.other.id] ?? false)
  return <Avatar name={chat.other.name} src={chat.other.avatar} size={32} online={online} />
}

interface ChatMenuProps {
  chat: ChatHead
  withPageLink: boolean
  children: MenuProps['trigger']
}

function ChatMenu({ chat, withPageLink, children }: ChatMenuProps) {
  const [isAsking, setAsking] = useState(false)
  const change = async (patch: ChatPatch) => {
    try {
      await messageClient().chats.change(chat.id, patch)
    } catch (error) {
      toastFailure('The chat was not changed', error)
    }
  }
  return (
    <>
      <Menu trigger={children} align="start">
        <MenuLink href={`/dealers/${chat.other.id}`} icon={<CircleUser size={16} />}>
          View full profile
        </MenuLink>
        {withPageLink ? (
          <MenuLink href={chatPath(chat.id)} icon={<SquareArrowOutUpRight size={16} />}>
            Open in Messages
          </MenuLink>
        ) : null}
        <MenuItem
          icon={chat.muted ? <BellRing size={16} /> : <BellOff size={16} />}
          onSelect={() => void change({ muted: !chat.muted })}
        >
          {chat.muted ? 'Unmute' : 'Mute'}
        </MenuItem>
        {chat.blocked ? (
          <MenuItem icon={<Ban size={16} />} onSelect={() => void change({ blocked: false })}>
            Unblock
          </MenuItem>
        ) : (
          <MenuItem icon={<Ban size={16} />} destructive onSelect={() => setAsking(true)}>
            Block
          </MenuItem>
        )}
      </Menu>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={`Block ${chat.other.name}?`}
        description="Until you unblock them, neither of you can write in this chat or find the other in the Dealer Network. They won't be notified. Your deals with each other continue."
        confirmLabel="Block"
        destructive
        onConfirm={() => {
          setAsking(false)
          void change({ blocked: true })
        }}
      />
    </>
  )
}

const frame = 'flex flex-col overflow-hidden rounded-t-md bg-raised shadow-2'

export function MessagingWindow({ chat, used }: { chat: ChatHead; used: number }) {
  const frameRef = useRef<HTMLElement>(null)
  const box = useRef<HTMLTextAreaElement>(null)
  const close = () => leaveWindow(chat.id)
  useView('chat', chat.id)
  useEffect(() => {
    if (!takesFocus(chat.id)) return
    // When a dialog that opened this window closes, it returns focus to the button that opened it. The timeout moves focus here after that.
    const timer = setTimeout(() => box.current?.focus({ preventScroll: true }))
    return () => clearTimeout(timer)
  }, [used, chat.id])

  useEscapeKey(frameRef, close)
  const unread = chat.unreadCount
  return (
    <section
      ref={frameRef}
      aria-label={`Chat with ${chat.other.name}`}
      className={cx(frame, 'group/window h-[min(23rem,calc(100dvh-4.5rem))] w-68 flex-none animate-rise')}
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
        <IconButton size="sm" label="Minimize" icon={<Minus size={18} />} onClick={() => minimizeWindow(chat.id)} />
        <IconButton size="sm" label="Close chat" icon={<X size={18} />} onClick={close} />
      </header>
      <MessagingLog chat={chat} />
      <MessagingUploads chatId={chat.id} />
      <MessagingComposer chat={chat} box={box} />
    </section>
  )
}

export function MinimizedWindow({ chat }: { chat: ChatHead }) {
  const unread = chat.unreadCount
  const name = `Chat with ${chat.other.name}${unread > 0 ? `, ${unread} unread` : ''}`
  return (
    <section
      aria-label={`${name}, minimized`}
      className={cx(
        frame,
        '@container h-12 w-52 min-w-0 flex-row items-center gap-2 pr-2 pl-3',
        unread > 0 && 'bg-accent-soft',
      )}
    >
      <button
        type="button"
        onClick={() => focusWindow(chat.id)}
        className="flex min-w-0 flex-1 items-center gap-2 self-stretch text-left -outline-offset-2"
      >
        {/* The header of a narrow window only has room for the name. */}
        <span className="contents @max-[10rem]:hidden">
          <ChatAvatar chat={chat} />
        </span>
        <span className="min-w-0 flex-1 truncate font-semibold">{chat.other.name}</span>
        <span className="sr-only">: expand chat{unread > 0 ? `, ${unread} unread` : ''}</span>
      </button>
      {unread > 0 ? <Count value={unread} tone="accent" /> : null}
      <IconButton size="sm" label="Close chat" icon={<X size={18} />} onClick={() => closeWindow(chat.id)} />
    </section>
  )
}
