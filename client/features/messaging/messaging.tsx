import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useLocation } from 'wouter'
import { useCurrentDealer } from '#client/lib/current-dealer.ts'
import { usePublishNavCount } from '#client/lib/nav-counts.ts'
import { currentSocket } from '#client/lib/connection.ts'
import { chatsQuery } from './chat-list.ts'
import { MessagingDock } from './messaging-dock.tsx'
import { restoreLayout, saveLayout } from './messaging.memory.ts'
import { openPressedChats } from './messaging.notices.ts'
import { loadOutbox, workAll } from './messaging.outbox.ts'
import { messagingStore, receiveRead, unreadTotal } from './messaging.store.ts'
import { compare, startPolling } from './messaging.sync.ts'
import { hearTabs } from './messaging.tabs.ts'

/** Everything messaging does on every page: loads, keeps up, shows the badge, and draws the dock where there is one. */
export function Messaging() {
  const { id: dealerId } = useCurrentDealer()
  const [path] = useLocation()
  const isReady = messagingStore.use((state) => state.dealerId === dealerId)
  useEffect(() => startMessaging(dealerId), [dealerId])
  const { isSuccess } = useQuery({ ...chatsQuery(dealerId), enabled: isReady, refetchOnMount: 'always' })
  useEffect(() => {
    if (isSuccess) compare(currentSocket())
  }, [isSuccess])
  useSavedLayout()
  usePublishNavCount('messages', messagingStore.use(unreadTotal))
  // The messages page is the same chats at full size.
  return isReady && path !== '/messages' ? <MessagingDock /> : null
}

function startMessaging(dealerId: string): () => void {
  messagingStore.set((state) => void (state.dealerId = dealerId))
  restoreLayout(dealerId)
  const stops = [
    startPolling(),
    openPressedChats(),
    hearTabs((news) => {
      if (news.dealerId !== dealerId) return
      if (news.about === 'read') receiveRead(news)
      else void loadOutbox()
    }),
  ]
  void loadOutbox()
  const onOnline = () => workAll()
  window.addEventListener('online', onOnline)
  return () => {
    window.removeEventListener('online', onOnline)
    for (const stop of stops) stop()
  }
}

function useSavedLayout() {
  const isListOpen = messagingStore.use((state) => state.isListOpen)
  const windows = messagingStore.use((state) => state.windows)
  useEffect(() => saveLayout({ isListOpen, windows }), [isListOpen, windows])
}
