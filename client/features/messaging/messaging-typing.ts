import { useEffect, useState } from 'react'
import { currentSocket } from '#client/lib/socket.ts'
import { typingEveryMs } from '#shared/limits.ts'
import { messagingStore } from './messaging.store.ts'

/** Whether the other is typing; it ends by itself. */
export function useTyping(chatId: string): boolean {
  const until = messagingStore.use((state) => state.typingUntil[chatId] ?? 0)
  const [, redraw] = useState(0)
  const isTyping = until > Date.now()
  useEffect(() => {
    if (until <= Date.now()) return
    const timer = setTimeout(() => redraw((count) => count + 1), until - Date.now() + 1)
    return () => clearTimeout(timer)
  }, [until])
  return isTyping
}

let saidAt = 0

/** Says that one is typing, at most every three seconds. */
export function sayTyping(chatId: string): void {
  const socket = currentSocket()
  if (socket?.connected !== true || Date.now() - saidAt < typingEveryMs) return
  saidAt = Date.now()
  socket.volatile.emit('typing', { chatId }, () => undefined)
}
