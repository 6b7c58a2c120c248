import { useEffect, useLayoutEffect, useState } from 'react'
import ChevronDown from 'lucide-react/icons/chevron-down'
import SquarePen from 'lucide-react/icons/square-pen'
import { Count } from '#client/ui/count.tsx'
import { IconButton } from '#client/ui/icon-button.tsx'
import { MessagingList } from './dock-list.tsx'
import { MessagingNew } from './dock-search.tsx'
import { NoticeMenu } from '../messaging-notice-menu.tsx'
import { MessagingWindow, MinimizedWindow } from './dock-window.tsx'
import { unreadTotal, useChats } from '../use-chats.ts'
import { messagingStore, minimizeWindow, setListOpen } from '../messaging.store.ts'
import { focusWindow, pressList, useDockListFocus } from './window-focus.ts'
import { useWindowRoom } from './window-room.ts'

/** Shows the open chats. If they do not fit, the list closes first, and then the least recently used windows are minimized. */
export function DockWindows() {
  const windows = messagingStore.use((state) => state.windows)
  const isListOpen = messagingStore.use((state) => state.isListOpen)
  const chats = useChats((list) => list.chats)
  const room = useWindowRoom()
  const shown = windows.flatMap((open) => {
    const chat = chats[open.chatId]
    return chat === undefined ? [] : [{ ...open, chat }]
  })
  const byUse = shown.filter(({ isMinimized }) => !isMinimized).toSorted((a, b) => b.used - a.used)
  const expanded = new Set(byUse.slice(0, room.windows).map(({ chatId }) => chatId))
  const crowded = byUse.slice(room.windows)
  const isListCrowded = isListOpen && byUse.length > room.besideList
  useEffect(() => {
    if (isListCrowded) setListOpen(false)
  }, [isListCrowded])
  // These windows stay minimized until the dealer opens them, because an open window marks its messages as read.
  useEffect(() => {
    for (const { chatId } of crowded) minimizeWindow(chatId)
  }, [crowded])
  useDockWindowsMark(expanded.size)
  return shown.map(({ chat, used }) =>
    expanded.has(chat.id) ? (
      <MessagingWindow key={chat.id} chat={chat} used={used} />
    ) : (
      <MinimizedWindow key={chat.id} chat={chat} />
    ),
  )
}

/** Marks the page so that its CSS leaves room for open windows (`chatting:` and `crowded:` in app.css). */
function useDockWindowsMark(count: number): void {
  useLayoutEffect(() => {
    const { documentElement: root } = document
    root.dataset['dockWindows'] = String(count)
    return () => void delete root.dataset['dockWindows']
  }, [count])
}

export function DockList() {
  const [isWriting, setWriting] = useState(false)
  const unread = useChats(unreadTotal)
  const windows = messagingStore.use((state) => state.windows)
  const closing = useDockListFocus(true)
  return (
    <section
      aria-label="Messaging"
      className="flex h-[min(29.5rem,calc(100dvh-4.5rem))] w-70 flex-none animate-rise flex-col overflow-hidden rounded-t-md bg-raised shadow-2 2xl:h-dvh 2xl:rounded-none"
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
          ref={closing}
          data-dock-home
          aria-expanded="true"
          icon={<ChevronDown size={18} />}
          onClick={() => pressList(false)}
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
