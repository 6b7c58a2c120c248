import { isRefusal, Retries } from '#client/lib/retries.ts'
import { typingEveryMs } from '#shared/limits.ts'
import type { ChatData } from './chat-data.ts'
import type { AccountCheck } from './outbox.ts'
import type { ClientParts } from './parts.ts'

/** A pointer is told at most once a second per chat; the newest wins. */
const readEveryMs = 1_000

/** How far this dealer has read: in every tab at once, on the server soon after. */
export function createReads(parts: ClientParts, data: ChatData, account: AccountCheck) {
  const { dealerId, api, tabs, clock, isOver } = parts
  /** Pointers that the server does not have yet; `isBusy` while one is told, and for a moment after it. */
  const waiting = new Map<string, { seq: number; isBusy: boolean }>()
  const retries = new Retries(parts)

  async function sendRead(chatId: string): Promise<void> {
    const entry = waiting.get(chatId)
    if (entry === undefined || entry.isBusy || isOver()) return
    const { seq } = entry
    entry.isBusy = true
    try {
      // Not as another dealer, who is signed in by now.
      if (!(await account.isOwn())) return void (entry.isBusy = false)
      await api.putRead(chatId, seq)
    } catch (error) {
      entry.isBusy = false
      account.doubt()
      if (isRefusal(error)) waiting.delete(chatId)
      else retries.putOff(chatId, () => void sendRead(chatId), error)
      return
    }
    retries.succeed(chatId)
    clock.after(readEveryMs, () => {
      entry.isBusy = false
      if (entry.seq > seq) void sendRead(chatId)
      else waiting.delete(chatId)
    })
  }

  return {
    /** Everything up to `seq` has been on screen, in a window that is open, at its end, and looked at. */
    markRead(chatId: string, seq: number): void {
      if (isOver() || (data.chat(chatId)?.readSeq ?? seq) >= seq) return
      data.receiveRead({ chatId, dealerId, seq })
      tabs.notify({ dealerId, about: 'read', chatId, seq })
      const entry = waiting.get(chatId)
      if (entry !== undefined) {
        entry.seq = Math.max(entry.seq, seq)
        return
      }
      waiting.set(chatId, { seq, isBusy: false })
      void sendRead(chatId)
    },
    /** What could not be told while the server was away. */
    sendWaiting(): void {
      retries.callOffAll()
      for (const chatId of waiting.keys()) void sendRead(chatId)
    },
  }
}

export type Reads = ReturnType<typeof createReads>

/** Who is typing. What the other does ends by itself; what this dealer does is said at most every three seconds. */
export function createTyping({ dealerId, store, connection, clock }: ClientParts) {
  const endings = new Map<string, () => void>()
  let saidAt = 0
  return {
    receive(chatId: string, typistId: string, ttlMs: number): void {
      if (typistId === dealerId) return
      store.set((state) => void (state.typing[chatId] = true))
      endings.get(chatId)?.()
      endings.set(
        chatId,
        clock.after(ttlMs, () => this.end(chatId)),
      )
    },
    /** Their message is there, or they have stopped. */
    end(chatId: string): void {
      endings.get(chatId)?.()
      endings.delete(chatId)
      if (store.get().typing[chatId] === true) store.set((state) => void delete state.typing[chatId])
    },
    emit(chatId: string): void {
      const socket = connection.socket()
      if (socket?.connected !== true || clock.now() - saidAt < typingEveryMs) return
      saidAt = clock.now()
      socket.volatile.emit('typing', { chatId }, () => undefined)
    },
  }
}

export type Typing = ReturnType<typeof createTyping>
