import { isRefusal, Retries } from '#client/lib/http/retries.ts'
import { typingEveryMs } from '#shared/limits.ts'
import type { ChatData } from './chat-data.ts'
import type { AccountCheck } from './outbox.ts'
import type { ClientDependencies } from './dependencies.ts'

/** Minimum milliseconds between two requests that save how far a chat has been read. Only the newest position is sent. */
const readEveryMs = 1_000

/** Handles read pointers, which record how far a dealer has read a chat. Shares them with other tabs at once, and with the server later. */
export function createReads(parts: ClientDependencies, data: ChatData, account: AccountCheck) {
  const { dealerId, api, tabs, clock, isOver } = parts
  /** Pointers that the server does not have yet. `isBusy` is true while a pointer is being sent and shortly after. */
  const waiting = new Map<string, { seq: number; isBusy: boolean }>()
  const retries = new Retries(parts)

  async function sendRead(chatId: string): Promise<void> {
    const entry = waiting.get(chatId)
    if (entry === undefined || entry.isBusy || isOver()) return
    const { seq } = entry
    entry.isBusy = true
    try {
      // Send nothing if another dealer has signed in since.
      if (!(await account.isOwn())) return void (entry.isBusy = false)
      await api.putRead(chatId, seq)
    } catch (error) {
      entry.isBusy = false
      account.invalidate()
      if (isRefusal(error)) waiting.delete(chatId)
      else retries.schedule(chatId, () => void sendRead(chatId), error)
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
    /** Call this when everything up to `seq` is visible: the window is open and scrolled to the end, and the tab has focus. */
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
    sendWaiting(): void {
      retries.cancelAll()
      for (const chatId of waiting.keys()) void sendRead(chatId)
    },
  }
}

export type Reads = ReturnType<typeof createReads>

/** The other dealer's typing indicator expires after a timeout. This dealer's indicator is sent at most every three seconds. */
export function createTyping({ dealerId, store, connection, clock }: ClientDependencies) {
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
