import { ChevronDown, ChevronUp, Inbox, SquarePen } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Count } from '#client/ui/count.tsx'
import { IconButton } from '#client/ui/icon-button.tsx'
import { MessagingList } from './messaging-list.tsx'
import { MessagingNew } from './messaging-new.tsx'
import { NoticeMenu } from './messaging-notice-menu.tsx'
import { focusWindow, MessagingWindow, MinimizedWindow } from './messaging-window.tsx'
import { messagingStore, setListOpen, unreadTotal } from './messaging.store.ts'
import { useWindowRoom } from './window-room.ts'

/** The dock of spec A §2: a button with the unread total, the list, and up to three windows left of it. */
export function MessagingDock() {
  const isListOpen = messagingStore.use((state) => state.isListOpen)
  // The wide layout gives the open list a column of its own (ui.md §5).
  useEffect(() => {
    document.documentElement.toggleAttribute('data-dock-open', isListOpen)
    return () => document.documentElement.removeAttribute('data-dock-open')
  }, [isListOpen])
  return (
    <div
      role="region"
      aria-label="Messaging dock"
      className="pointer-events-none fixed right-4 bottom-0 z-40 flex items-end gap-2 *:pointer-events-auto max-md:hidden 2xl:in-data-dock-open:right-0"
    >
      <Windows isListOpen={isListOpen} />
      {isListOpen ? <DockList /> : <DockButton />}
    </div>
  )
}

/** The newest stays open; older ones fold to their headers where they would lie over the feed. */
function Windows({ isListOpen }: { isListOpen: boolean }) {
  const windows = messagingStore.use((state) => state.windows)
  const chats = messagingStore.use((state) => state.chats)
  const room = useWindowRoom(isListOpen)
  const shown = windows.flatMap((open) => {
    const chat = chats[open.chatId]
    return chat === undefined ? [] : [{ ...open, chat }]
  })
  const expanded = shown
    .filter(({ isMinimized }) => !isMinimized)
    .toSorted((a, b) => b.used - a.used)
    .slice(0, room)
    .map(({ chatId }) => chatId)
  return shown.map(({ chat }) =>
    expanded.includes(chat.id) ? (
      <MessagingWindow key={chat.id} chat={chat} isNewest={chat.id === expanded[0]} />
    ) : (
      <MinimizedWindow key={chat.id} chat={chat} />
    ),
  )
}

function DockButton() {
  const unread = messagingStore.use(unreadTotal)
  return (
    <button
      type="button"
      data-dock-home
      aria-expanded="false"
      onClick={() => setListOpen(true)}
      className="flex h-12 w-70 items-center gap-3 rounded-t-md bg-raised px-4 text-left font-semibold shadow-2 hover:bg-hover"
    >
      <Inbox size={18} aria-hidden="true" />
      <span className="flex-1">Messaging</span>
      {unread > 0 ? (
        <>
          <Count value={unread} />
          <span className="sr-only">unread</span>
        </>
      ) : null}
      <ChevronUp size={16} aria-hidden="true" />
    </button>
  )
}

function DockList() {
  const [isWriting, setWriting] = useState(false)
  const unread = messagingStore.use(unreadTotal)
  const windows = messagingStore.use((state) => state.windows)
  return (
    <section
      aria-label="Messaging"
      className="flex h-[min(472px,calc(100dvh-72px))] w-70 animate-rise flex-col overflow-hidden rounded-t-md bg-raised shadow-2 2xl:h-dvh 2xl:rounded-none"
    >
      <header className="flex h-12 flex-none items-center gap-2 border-b border-line pr-2 pl-3">
        <h2 className="flex flex-1 items-center gap-2 font-semibold">
          Messaging
          {unread > 0 ? <Count value={unread} /> : null}
        </h2>
        <NoticeMenu />
        <IconButton size="sm" label="New message" icon={<SquarePen size={18} />} onClick={() => setWriting(true)} />
        <IconButton
          size="sm"
          label="Close list"
          data-dock-home
          aria-expanded="true"
          icon={<ChevronDown size={18} />}
          onClick={() => setListOpen(false)}
        />
      </header>
      <MessagingList
        onOpen={focusWindow}
        openIds={windows.map(({ chatId }) => chatId)}
        searchLabel="Search conversations"
        emptyTitle="No conversations yet"
      />
      <MessagingNew open={isWriting} onOpenChange={setWriting} onOpen={focusWindow} />
    </section>
  )
}
