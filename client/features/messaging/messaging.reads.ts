import { putRead } from './messaging.api.ts'
import { messagingStore, receiveRead } from './messaging.store.ts'
import { tellTabs } from './messaging.tabs.ts'

/** A pointer is told at most once a second per chat; the newest wins. */
const everyMs = 1_000

const waiting = new Map<string, { seq: number; timer: ReturnType<typeof setTimeout> | undefined }>()

/** Everything up to `seq` has been on screen, in a window that is open, at its end, and looked at. */
export function markRead(chatId: string, seq: number): void {
  const { dealerId, chats } = messagingStore.get()
  if ((chats[chatId]?.readSeq ?? seq) >= seq) return
  receiveRead({ chatId, dealerId, seq })
  tellTabs({ dealerId, about: 'read', chatId, seq })
  const entry = waiting.get(chatId)
  if (entry !== undefined) {
    entry.seq = Math.max(entry.seq, seq)
    return
  }
  waiting.set(chatId, { seq, timer: undefined })
  void tell(chatId)
}

async function tell(chatId: string): Promise<void> {
  const entry = waiting.get(chatId)
  if (entry === undefined) return
  const { seq } = entry
  try {
    await putRead(chatId, seq)
  } catch {
    // Told again at the next greeting; the others see it a little later.
    return
  }
  entry.timer = setTimeout(() => {
    if (entry.seq > seq) void tell(chatId)
    else waiting.delete(chatId)
  }, everyMs)
}

/** What could not be told while the server was away. */
export function tellReads(): void {
  for (const [chatId, entry] of waiting) if (entry.timer === undefined) void tell(chatId)
}
