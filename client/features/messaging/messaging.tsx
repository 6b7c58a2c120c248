import { useEffect } from 'react'
import { useLocation } from 'wouter'
import { useCurrentDealer } from '#client/lib/current-dealer.ts'
import { usePublishNavCount } from '#client/lib/nav-counts.ts'
import { unreadTotal, useChats, useLoadedChats } from './conversations.ts'
import { MessagingDock } from './dock/dock.tsx'
import { messagingStore, saveLayout } from './messaging.store.ts'
import { openPressedChats } from './open-chat-with.ts'
import { findMessageClient } from './sync/current-client.ts'

/** What messaging shows on every page: loads the chats, shows the badge, and draws the dock where there is one. */
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
  // The messages page is the same chats at full size.
  return isReady && path !== '/messages' ? <MessagingDock /> : null
}

function useSavedLayout() {
  const isListOpen = messagingStore.use((state) => state.isListOpen)
  const windows = messagingStore.use((state) => state.windows)
  useEffect(() => saveLayout({ isListOpen, windows }), [isListOpen, windows])
}
