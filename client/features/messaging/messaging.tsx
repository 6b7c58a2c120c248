import ChevronUp from 'lucide-react/icons/chevron-up'
import Inbox from 'lucide-react/icons/inbox'
import { type RefObject, Suspense, useEffect, useRef } from 'react'
import { useLocation } from 'wouter'
import { useCurrentDealer } from '#client/lib/session/current-dealer.ts'
import { loadWhenIdle } from '#client/lib/screen/load-when-idle.ts'
import { lazyPart } from '#client/lib/screen/lazy-part.ts'
import { usePublishNavCount } from '#client/lib/screen/nav-counts.ts'
import { Count } from '#client/ui/count.tsx'
import { unreadTotal, useChats, useLoadedChats } from './use-chats.ts'
import { pressList, useDockListFocus } from './dock/window-focus.ts'
import { messagingStore, saveLayout } from './messaging.store.ts'
import { openPressedChats } from './open-chat-with.ts'
import { findMessageClient } from './sync/current-client.ts'

// A closed dock is only a button. The code for the list and windows loads when the browser is idle.
const loadOpen = () => import('./dock/dock-windows.tsx')
const DockWindows = lazyPart(async () => (await loadOpen()).DockWindows)
const DockList = lazyPart(async () => (await loadOpen()).DockList)

/** Mounted on every page: loads the chats, publishes the unread count, and renders the dock. */
export function Messaging() {
  const { id: dealerId } = useCurrentDealer()
  const [path] = useLocation()
  const isReady = messagingStore.use((state) => state.dealerId === dealerId)
  const { isSuccess } = useLoadedChats({ refetchOnMount: 'always' })
  useEffect(() => {
    if (isSuccess) findMessageClient()?.sync.compare()
  }, [isSuccess])
  useEffect(openPressedChats, [])
  useSavedLayout()
  usePublishNavCount('messages', useChats(unreadTotal))
  // The messages page shows the same chats at full size, so hide the dock there.
  return isReady && path !== '/messages' ? <MessagingDock /> : null
}

function useSavedLayout() {
  const isListOpen = messagingStore.use((state) => state.isListOpen)
  const windows = messagingStore.use((state) => state.windows)
  useEffect(() => saveLayout({ isListOpen, windows }), [isListOpen, windows])
}

function MessagingDock() {
  const isListOpen = messagingStore.use((state) => state.isListOpen)
  const hasWindows = messagingStore.use((state) => state.windows.length > 0)
  // On wide screens, the open list gets its own column.
  useEffect(() => {
    document.documentElement.toggleAttribute('data-dock-open', isListOpen)
    return () => document.documentElement.removeAttribute('data-dock-open')
  }, [isListOpen])
  useEffect(() => loadWhenIdle(loadOpen), [])
  const dock = useDockSize()
  return (
    <div
      ref={dock}
      role="region"
      aria-label="Messaging dock"
      className="pointer-events-none fixed right-[calc(1rem+env(safe-area-inset-right))] bottom-0 z-40 flex max-w-[calc(100vw-2rem)] items-end gap-2 *:pointer-events-auto max-md:hidden 2xl:in-data-dock-open:right-0 beside:max-w-[calc(100vw-28.5rem)]"
    >
      <Suspense>{hasWindows ? <DockWindows /> : null}</Suspense>
      <Suspense fallback={<DockButton />}>{isListOpen ? <DockList /> : <DockButton />}</Suspense>
    </div>
  )
}

/** Publishes the dock's size as `--dock-width` and `--dock-height`, so that pages can leave room for the dock. */
function useDockSize(): RefObject<HTMLDivElement | null> {
  const dock = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const { style } = document.documentElement
    const observer = new ResizeObserver(([entry]) => {
      const [size] = entry?.borderBoxSize ?? []
      style.setProperty('--dock-width', `${size?.inlineSize ?? 0}px`)
      style.setProperty('--dock-height', `${size?.blockSize ?? 0}px`)
    })
    if (dock.current) observer.observe(dock.current)
    return () => {
      observer.disconnect()
      style.removeProperty('--dock-width')
      style.removeProperty('--dock-height')
    }
  }, [])
  return dock
}

function DockButton() {
  const unread = useChats(unreadTotal)
  const button = useDockListFocus(false)
  return (
    <button
      ref={button}
      type="button"
      data-dock-home
      aria-expanded="false"
      onClick={() => pressList(true)}
      className="flex h-12 w-70 min-w-32 items-center gap-3 rounded-t-md bg-raised px-4 text-left font-semibold shadow-2 hover:bg-hover chatting:w-auto chatting:gap-2 chatting:px-3"
    >
      <Inbox size={18} aria-hidden="true" className="chatting:hidden" />
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
