import { useCallback, useEffect, useMemo, useState } from 'react'
import { messagesPerWindow } from '#shared/limits.ts'
import type { Message } from '#shared/schemas/messaging.ts'
import { useMessages } from '../conversations.ts'
import type { ChatHead } from '../messaging.api.ts'
import { messagingStore, type PendingMessage } from '../messaging.store.ts'
import { unreadOf } from '../sync/chat-data.ts'
import { messagesOf } from '../sync/chat-stream.ts'
import { messageClient } from '../sync/current-client.ts'

export type LogRow =
  | { kind: 'day'; key: string; iso: string }
  | { kind: 'unread'; key: string }
  | { kind: 'message'; key: string; message: Message; own: boolean; endsRun: boolean }
  | { kind: 'pending'; key: string; message: PendingMessage }

const runMs = 5 * 60_000
const dayOf = (iso: string) => new Date(iso).toDateString()

/** Messages of one writer within five minutes are one run: the time stands under its last. */
function endsRun(message: Message, next: Message | undefined): boolean {
  if (next === undefined || next.senderId !== message.senderId) return true
  return (
    Date.parse(next.createdAt) - Date.parse(message.createdAt) > runMs ||
    dayOf(next.createdAt) !== dayOf(message.createdAt)
  )
}

/** What a log shows, in order: days, the line above what is unread, messages, and those on their way. */
function logRows(
  messages: readonly Message[],
  pending: readonly PendingMessage[],
  { dealerId, unreadAfter }: { dealerId: string; unreadAfter: number | undefined },
): LogRow[] {
  const rows: LogRow[] = []
  for (const [index, message] of messages.entries()) {
    const before = messages[index - 1]
    if (before === undefined || dayOf(before.createdAt) !== dayOf(message.createdAt))
      rows.push({ kind: 'day', key: `day-${message.seq}`, iso: message.createdAt })
    const own = message.senderId === dealerId
    if (unreadAfter !== undefined && message.seq > unreadAfter && (before?.seq ?? unreadAfter) <= unreadAfter && !own)
      rows.push({ kind: 'unread', key: 'unread' })
    // Keyed by the client's id: the row of a message on its way becomes the row of the sent one.
    rows.push({ kind: 'message', key: message.clientId, message, own, endsRun: endsRun(message, messages[index + 1]) })
  }
  for (const message of pending) rows.push({ kind: 'pending', key: message.clientId, message })
  return rows
}

/**
 * The rows a log shows: the last 20 messages, and while its reader is scrolled up everything from where they began, so
 * that nothing they read leaves. Back at the end it is 20 again, however many came meanwhile.
 */
export function useLogState(chat: ChatHead) {
  const chatId = chat.id
  const stream = useMessages(chatId)
  const allPending = messagingStore.use((state) => state.pending)
  const dealerId = messagingStore.use((state) => state.dealerId)
  const [fromSeq, setFromSeq] = useState<number>()
  const [isLoading, setLoading] = useState(false)
  // Where reading stopped when the log was opened; it stays there while the log is open.
  const [unreadAfter] = useState(() => (unreadOf(chat) > 0 ? chat.readSeq : undefined))

  const messages = useMemo(() => (stream ? messagesOf(stream) : []), [stream])
  const pending = useMemo(() => {
    // A message that is here is not on its way any more, whichever of the two is heard of first.
    const isHere = new Set(messages.map(({ clientId }) => clientId))
    return allPending.filter((one) => one.chatId === chatId && !isHere.has(one.clientId))
  }, [allPending, chatId, messages])
  const shown = useMemo(
    () => (fromSeq === undefined ? messages.slice(-messagesPerWindow) : messages.filter(({ seq }) => seq >= fromSeq)),
    [messages, fromSeq],
  )
  const rows = useMemo(
    () => logRows(shown, pending, { dealerId, unreadAfter }),
    [shown, pending, dealerId, unreadAfter],
  )
  const firstSeq = shown[0]?.seq

  useEffect(() => {
    const client = messageClient()
    client.data.countLog(chatId, 1)
    return () => client.data.countLog(chatId, -1)
  }, [chatId])
  // Of a chat that was closed for long only the last message is here.
  const isBrief = stream !== undefined && messages.length < messagesPerWindow && (messages[0]?.seq ?? 1) > 1
  useEffect(() => {
    if (isBrief) void messageClient().sync.loadEarlier(chatId, messages[0]?.seq ?? 1)
  }, [chatId, isBrief, messages])

  /** Called when the reader leaves the end or comes back to it. */
  const onMove = useCallback(
    (atEnd: boolean) => {
      if (atEnd) {
        messageClient().data.endScroll(chatId)
        messageClient().sync.fetchMissingIfBehind(chatId)
      } else messageClient().data.setScrolledUp(chatId, 'near')
      setFromSeq((from) => (atEnd ? undefined : (from ?? firstSeq)))
    },
    [chatId, firstSeq],
  )
  const earlier = async () => {
    if (firstSeq === undefined) return
    setLoading(true)
    await messageClient().sync.loadEarlier(chatId, firstSeq)
    setLoading(false)
    setFromSeq(Math.max(1, firstSeq - messagesPerWindow))
  }
  const ownSent = shown.filter(({ senderId }) => senderId === dealerId)
  return {
    rows,
    onMove,
    earlier,
    isLoading,
    showFrom: setFromSeq,
    hasEarlier: firstSeq !== undefined && firstSeq > 1,
    pendingCount: pending.length,
    lastOwnSeq: ownSent.at(-1)?.seq,
    /** The newest of one's own that the other has read. */
    seenSeq: ownSent.findLast(({ seq }) => seq <= (chat.otherReadSeq ?? 0))?.seq,
  }
}
