import { currentSocket } from '#client/lib/connection.ts'
import { typingEveryMs } from '#shared/limits.ts'
import { messagingStore } from './messaging.store.ts'

const endings = new Map<string, ReturnType<typeof setTimeout>>()

/** The other is typing; it ends by itself. */
export function hearTyping(chatId: string, ttlMs: number): void {
  messagingStore.set((state) => void (state.typing[chatId] = true))
  clearTimeout(endings.get(chatId))
  endings.set(
    chatId,
    setTimeout(() => {
      endings.delete(chatId)
      messagingStore.set((state) => void delete state.typing[chatId])
    }, ttlMs),
  )
}

let saidAt = 0

/** Says that one is typing, at most every three seconds. */
export function sayTyping(chatId: string): void {
  const socket = currentSocket()
  if (socket?.connected !== true || Date.now() - saidAt < typingEveryMs) return
  saidAt = Date.now()
  socket.volatile.emit('typing', { chatId }, () => undefined)
}
