import { toastFailure } from '#client/ui/toast-store.ts'
import { messagesPageMax, messagesPerWindow } from '#shared/limits.ts'
import type { Message } from '#shared/schemas/messaging.ts'
import { addEarlier, messagesOf, openStream } from './chat-stream.ts'
import { fetchMessages, type MessagesPlace } from './messaging.api.ts'
import { messagingStore, parkedRows, setScrolledUp, stepStream } from './messaging.store.ts'

const firstHeld = (chatId: string): number => {
  const stream = messagingStore.get().streams[chatId]
  return stream === undefined ? 1 : (messagesOf(stream)[0]?.seq ?? 1)
}

/** False: they did not load, and the reader has been told. */
async function load(chatId: string, place: MessagesPlace, apply: (messages: Message[]) => void): Promise<boolean> {
  try {
    const { messages } = await fetchMessages(chatId, place)
    apply(messages)
    return true
  } catch (error) {
    toastFailure('Earlier messages did not load', error)
    return false
  }
}

const loadBefore = (chatId: string, limit: number) =>
  load(chatId, { beforeSeq: firstHeld(chatId), limit }, (messages) =>
    stepStream(chatId, (stream) => addEarlier(stream, messages)),
  )

/** The reader is far from the end then: what is between is not here. */
const loadAround = (chatId: string, seq: number) =>
  load(chatId, { aroundSeq: seq, limit: messagesPageMax }, (messages) => {
    setScrolledUp(chatId, 'far')
    stepStream(chatId, () => openStream(messages, Math.max(0, ...messages.map(({ rev }) => rev))))
  })

/** Sees to it that twenty messages before `seq` are held. */
export async function loadEarlier(chatId: string, seq: number): Promise<void> {
  const first = firstHeld(chatId)
  if (first > 1 && first > seq - messagesPerWindow) await loadBefore(chatId, messagesPerWindow)
}

/** Sees to it that a message that was found is held, with what follows it; far back, only with its neighbours. */
export async function loadUntil(chatId: string, seq: number): Promise<boolean> {
  if (firstHeld(chatId) - seq > parkedRows) return loadAround(chatId, seq)
  while (firstHeld(chatId) > seq) if (!(await loadBefore(chatId, messagesPageMax))) return false
  return true
}
