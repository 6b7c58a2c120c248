import { useCallback, useEffect, useMemo, useState } from 'react'
import { messagesPerWindow } from '#shared/limits.ts'
import { messagesOf } from './chat-stream.ts'
import { loadEarlier } from './earlier-messages.ts'
import { logRows } from './log-rows.ts'
import { type ChatHead, countLog, endScroll, messagingStore, setScrolledUp, unreadOf } from './messaging.store.ts'
import { fillIfBehind } from './messaging.sync.ts'

/**
 * The rows a log shows: the last 20 messages, and while its reader is scrolled up everything from where they began, so
 * that nothing they read leaves. Back at the end it is 20 again, however many came meanwhile.
 */
export function useLogState(chat: ChatHead) {
  const chatId = chat.id
  const stream = messagingStore.use((state) => state.streams[chatId])
  const allPending = messagingStore.use((state) => state.pending)
  const dealerId = messagingStore.use((state) => state.dealerId)
  const [fromSeq, setFromSeq] = useState<number>()
  const [isLoading, setLoading] = useState(false)
  // Where reading stopped when the log was opened; it stays there while the log is open.
  const [unreadAfter] = useState(() => (unreadOf(chat) > 0 ? chat.readSeq : undefined))

  const messages = useMemo(() => (stream ? messagesOf(stream) : []), [stream])
  const pending = useMemo(() => allPending.filter((one) => one.chatId === chatId), [allPending, chatId])
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
    countLog(chatId, 1)
    return () => countLog(chatId, -1)
  }, [chatId])
  // Of a chat that was closed for long only the last message is here.
  const isBrief = stream !== undefined && messages.length < messagesPerWindow && (messages[0]?.seq ?? 1) > 1
  useEffect(() => {
    if (isBrief) void loadEarlier(chatId, messages[0]?.seq ?? 1)
  }, [chatId, isBrief, messages])

  /** Called when the reader leaves the end or comes back to it. */
  const onMove = useCallback(
    (atEnd: boolean) => {
      if (atEnd) {
        endScroll(chatId)
        fillIfBehind(chatId)
      } else setScrolledUp(chatId, 'near')
      setFromSeq((from) => (atEnd ? undefined : (from ?? firstSeq)))
    },
    [chatId, firstSeq],
  )
  const earlier = async () => {
    if (firstSeq === undefined) return
    setLoading(true)
    await loadEarlier(chatId, firstSeq)
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
