import ArrowDown from 'lucide-react/icons/arrow-down'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { Button } from '#client/ui/button.tsx'
import { formatDate } from '#client/ui/format.ts'
import { useIsLookedAt } from '#client/ui/on-screen.ts'
import { RelativeTime } from '#client/ui/relative-time.tsx'
import { messagesPerWindow } from '#shared/limits.ts'
import type { Message } from '#shared/schemas/messaging.ts'
import { useMessages } from '../use-chats.ts'
import type { ChatHead } from '../messaging.api.ts'
import { messagingStore, type PendingMessage } from '../messaging.store.ts'
import { hasEarlier, messagesOf } from '../sync/chat-stream.ts'
import { findMessageClient, messageClient } from '../sync/current-client.ts'
import { MessageBubble, PendingBubble, TypingBubble } from './bubble.tsx'
import { useLogScroll } from './thread-scroll.ts'

type LogRow =
  | { kind: 'day'; key: string; iso: string }
  | { kind: 'unread'; key: string }
  | { kind: 'message'; key: string; message: Message; own: boolean; endsRun: boolean }
  | { kind: 'pending'; key: string; message: PendingMessage }

const runMs = 5 * 60_000
const dayOf = (iso: string) => new Date(iso).toDateString()

/** True if the message ends a group, which shows the time once: messages by one dealer on one day, at most five minutes apart. */
function endsRun(message: Message, next: Message | undefined): boolean {
  if (next === undefined || next.senderId !== message.senderId) return true
  return (
    Date.parse(next.createdAt) - Date.parse(message.createdAt) > runMs ||
    dayOf(next.createdAt) !== dayOf(message.createdAt)
  )
}

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
    // Rows are keyed by client id, so that an unsent message keeps its row when it is sent.
    rows.push({ kind: 'message', key: message.clientId, message, own, endsRun: endsRun(message, messages[index + 1]) })
  }
  for (const message of pending) rows.push({ kind: 'pending', key: message.clientId, message })
  return rows
}

/** Returns what the log shows: at its end, the last 20 messages. While the log is scrolled up, rows are only added, not removed. */
function useLogState(chat: ChatHead) {
  const chatId = chat.id
  const stream = useMessages(chatId)
  const allPending = messagingStore.use((state) => state.pending)
  const dealerId = messagingStore.use((state) => state.dealerId)
  const [fromSeq, setFromSeq] = useState<number>()
  const [isLoading, setLoading] = useState(false)
  // The read position when the log was opened.
  const [unreadAfter] = useState(() => (chat.unreadCount > 0 ? chat.readSeq : undefined))

  const messages = useMemo(() => (stream ? messagesOf(stream) : []), [stream])
  const pending = useMemo(() => {
    // Hide an unsent message once the message from the server has arrived.
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
  // A closed chat may keep only its last message, so load the messages before it.
  const isBrief = stream !== undefined && messages.length < messagesPerWindow && hasEarlier(stream)
  useEffect(() => {
    if (isBrief) void messageClient().sync.loadEarlier(chatId, messages[0]?.seq ?? 1)
  }, [chatId, isBrief, messages])

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
    const from = await messageClient().sync.loadEarlier(chatId, firstSeq)
    setLoading(false)
    setFromSeq(from)
  }
  const ownSent = shown.filter(({ senderId }) => senderId === dealerId)
  return {
    rows,
    onMove,
    earlier,
    isLoading,
    showFrom: setFromSeq,
    hasEarlier: shown.length < messages.length || (stream !== undefined && hasEarlier(stream)),
    pendingCount: pending.length,
    lastOwnSeq: ownSent.at(-1)?.seq,
    seenSeq: ownSent.findLast(({ seq }) => seq <= (chat.otherReadSeq ?? 0))?.seq,
  }
}

/** `isOnScreen` is false if the page is scrolled so that the newest message is out of view. */
export function MessagingLog({ chat, isOnScreen = true }: { chat: ChatHead; isOnScreen?: boolean }) {
  const state = useLogState(chat)
  const { rows, onMove, pendingCount } = state
  const typing = messagingStore.use((all) => all.typing[chat.id] ?? false)
  const { log, atEnd, hold, toEnd, onScroll, reveal } = useLogScroll({
    content: `${rows.length} ${lastOf(rows)} ${typing}`,
    firstKey: rows[0]?.key,
    onMove,
  })
  useReading(chat, atEnd && isOnScreen)
  useWanted(chat.id, reveal, state.showFrom)
  useEffect(() => {
    if (pendingCount > 0) toEnd()
  }, [pendingCount, toEnd])

  const loadEarlier = () => {
    hold()
    void state.earlier()
  }
  const unread = chat.unreadCount
  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <div
        ref={log}
        role="log"
        aria-label={`Messages with ${chat.other.name}`}
        tabIndex={0}
        onScroll={onScroll}
        className="flex min-h-0 flex-1 flex-col gap-1 overflow-y-auto overscroll-contain px-3 py-2 -outline-offset-2 [overflow-anchor:none]"
      >
        <div className="mt-auto" />
        {state.hasEarlier ? (
          <Button size="sm" variant="ghost" busy={state.isLoading} className="self-center" onClick={loadEarlier}>
            Load earlier
          </Button>
        ) : null}
        {rows.length === 0 && chat.lastSeq === 0 ? (
          <p className="mb-auto py-4 text-center text-ink-2">Write the first message to {chat.other.name}.</p>
        ) : null}
        {rows.map((row) => (
          <Row
            key={row.key}
            row={row}
            otherName={chat.other.name}
            lastOwnSeq={state.lastOwnSeq}
            seenSeq={state.seenSeq}
          />
        ))}
        {typing ? <TypingBubble name={chat.other.name} /> : null}
      </div>
      {atEnd ? null : (
        <Button
          size="sm"
          icon={<ArrowDown size={14} />}
          onClick={toEnd}
          className="absolute bottom-2 left-1/2 -translate-x-1/2 shadow-2"
        >
          {unread > 0 ? `${unread} new` : 'Newest'}
        </Button>
      )}
    </div>
  )
}

function lastOf(rows: readonly LogRow[]): string {
  const last = rows.at(-1)
  return last === undefined ? '' : `${last.kind} ${last.key} ${last.kind === 'pending' ? last.message.state : ''}`
}

function useReading(chat: ChatHead, atEnd: boolean) {
  const isLookedAt = useIsLookedAt()
  useEffect(() => {
    // The log may become visible after a delay, and the dealer may have signed out in the meantime.
    if (atEnd && isLookedAt) findMessageClient()?.reads.markRead(chat.id, chat.lastSeq)
  }, [chat.id, chat.lastSeq, atEnd, isLookedAt])
}

function useWanted(chatId: string, reveal: (seq: number | undefined) => void, showFrom: (seq: number) => void) {
  const wanted = messagingStore.use((state) => state.wantedSeq[chatId])
  useEffect(() => {
    if (wanted === undefined) return
    messagingStore.set((state) => void delete state.wantedSeq[chatId])
    reveal(wanted)
    showFrom(wanted)
    const { sync } = messageClient()
    void sync.loadUntil(chatId, wanted).then(() => requestAnimationFrame(() => reveal(undefined)))
  }, [chatId, wanted, reveal, showFrom])
}

interface RowProps {
  row: LogRow
  otherName: string
  lastOwnSeq: number | undefined
  seenSeq: number | undefined
}

function Row({ row, otherName, lastOwnSeq, seenSeq }: RowProps) {
  if (row.kind === 'day')
    return (
      <p className="py-1 text-center text-xs text-ink-3">
        <RelativeTime iso={row.iso} format={dayName} />
      </p>
    )
  if (row.kind === 'unread')
    return (
      <p className="flex items-center gap-2 py-1 text-xs font-medium text-accent-ink before:h-px before:flex-1 before:bg-accent-line after:h-px after:flex-1 after:bg-accent-line">
        New messages
      </p>
    )
  if (row.kind === 'pending') return <PendingBubble message={row.message} />
  const { message, own, endsRun } = row
  return (
    <MessageBubble
      message={message}
      own={own}
      writer={own ? 'You' : otherName}
      endsRun={endsRun}
      seen={own && message.seq === seenSeq}
      isLastOwn={own && message.seq === lastOwnSeq}
    />
  )
}

const dayMs = 24 * 3_600_000

function dayName(iso: string, nowMs: number): string {
  const day = new Date(iso).toDateString()
  if (day === new Date(nowMs).toDateString()) return 'Today'
  if (day === new Date(nowMs - dayMs).toDateString()) return 'Yesterday'
  return formatDate(iso)
}
