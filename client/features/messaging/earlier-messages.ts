import { reasonOf } from '#client/lib/api.ts'
import { toast } from '#client/ui/toast-store.ts'
import { messagesPageMax, messagesPerWindow } from '#shared/limits.ts'
import { addEarlier, messagesOf } from './chat-stream.ts'
import { fetchMessages } from './messaging.api.ts'
import { messagingStore, stepStream } from './messaging.store.ts'

const firstHeld = (chatId: string): number => {
  const stream = messagingStore.get().streams[chatId]
  return stream === undefined ? 1 : (messagesOf(stream)[0]?.seq ?? 1)
}

async function load(chatId: string, limit: number): Promise<boolean> {
  try {
    const page = await fetchMessages(chatId, { beforeSeq: firstHeld(chatId), limit })
    stepStream(chatId, (stream) => addEarlier(stream, page.messages))
    return true
  } catch (error) {
    toast({ title: 'Earlier messages did not load', description: reasonOf(error), variant: 'destructive' })
    return false
  }
}

/** Sees to it that twenty messages before `seq` are held. */
export async function loadEarlier(chatId: string, seq: number): Promise<void> {
  const first = firstHeld(chatId)
  if (first > 1 && first > seq - messagesPerWindow) await load(chatId, messagesPerWindow)
}

/** Sees to it that everything from `seq` on is held, for a message that was found. */
export async function loadUntil(chatId: string, seq: number): Promise<boolean> {
  while (firstHeld(chatId) > seq) if (!(await load(chatId, messagesPageMax))) return false
  return true
}
