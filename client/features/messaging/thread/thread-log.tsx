import { useEffect, useSyncExternalStore } from 'react'
import { ArrowDown } from 'lucide-react'
import { Button } from '#client/ui/button.tsx'
import { formatDate } from '#client/ui/format.ts'
import { type LogRow, useLogState } from './thread-rows.ts'
import { useLogScroll } from './thread-scroll.ts'
import { MessageBubble, PendingBubble, TypingBubble } from './bubble.tsx'
import type { ChatHead } from '../messaging.api.ts'
import { messagingStore } from '../messaging.store.ts'
import { unreadOf } from '../sync/chat-data.ts'
import { messageClient } from '../sync/current-client.ts'

const isLookedAt = () => document.visibilityState === 'visible' && document.hasFocus()

function subscribe(listener: () => void) {
  window.addEventListener('focus', listener)
  window.addEventListener('blur', listener)
  document.addEventListener('visibilitychange', listener)
  return () => {
    window.removeEventListener('focus', listener)
    window.removeEventListener('blur', listener)
    document.removeEventListener('visibilitychange', listener)
  }
}

/** Whether this tab is in front of somebody. */
const useIsLookedAt = (): boolean => useSyncExternalStore(subscribe, isLookedAt)

/** A chat's messages, newest at the bottom. */
export function MessagingLog({ chat }: { chat: ChatHead }) {
  const state = useLogState(chat)
  const { rows, onMove, pendingCount } = state
  const typing = messagingStore.use((all) => all.typing[chat.id] ?? false)
  const { log, atEnd, hold, toEnd, onScroll, reveal } = useLogScroll({
    content: `${rows.length} ${lastOf(rows)} ${typing}`,
    firstKey: rows[0]?.key,
    onMove,
  })
  useReading(chat, atEnd)
  useWanted(chat.id, reveal, state.showFrom)
  // Whoever sends wants to see it.
  useEffect(() => {
    if (pendingCount > 0) toEnd()
  }, [pendingCount, toEnd])

  const loadEarlier = () => {
    hold()
    void state.earlier()
  }
  const unread = unreadOf(chat)
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
          <Row key={row.key} row={row} lastOwnSeq={state.lastOwnSeq} seenSeq={state.seenSeq} />
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

/** Differs whenever the last row has another height: a failure has a reason below it. */
function lastOf(rows: readonly LogRow[]): string {
  const last = rows.at(-1)
  return last === undefined ? '' : `${last.kind} ${last.key} ${last.kind === 'pending' ? last.message.state : ''}`
}

/** Read is what is on screen: the log at its end, the tab in front of somebody. */
function useReading(chat: ChatHead, atEnd: boolean) {
  const isLookedAt = useIsLookedAt()
  useEffect(() => {
    if (atEnd && isLookedAt) messageClient().reads.markRead(chat.id, chat.lastSeq)
  }, [chat.id, chat.lastSeq, atEnd, isLookedAt])
}

/** A message that was found: loaded, scrolled to, and marked for a moment. */
function useWanted(chatId: string, reveal: (seq: number | undefined) => void, showFrom: (seq: number) => void) {
  const wanted = messagingStore.use((state) => state.wantedSeq[chatId])
  useEffect(() => {
    if (wanted === undefined) return
    messagingStore.set((state) => void delete state.wantedSeq[chatId])
    reveal(wanted)
    showFrom(wanted)
    // Its row has been drawn by the next frame, or is not to be had.
    const { sync } = messageClient()
    void sync.loadUntil(chatId, wanted).then(() => requestAnimationFrame(() => reveal(undefined)))
  }, [chatId, wanted, reveal, showFrom])
}

interface RowProps {
  row: LogRow
  lastOwnSeq: number | undefined
  seenSeq: number | undefined
}

function Row({ row, lastOwnSeq, seenSeq }: RowProps) {
  if (row.kind === 'day') return <p className="py-1 text-center text-xs text-ink-3">{dayName(row.iso)}</p>
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
      endsRun={endsRun}
      seen={own && message.seq === seenSeq}
      isLastOwn={own && message.seq === lastOwnSeq}
    />
  )
}

const dayMs = 24 * 3_600_000

function dayName(iso: string): string {
  const day = new Date(iso).toDateString()
  if (day === new Date().toDateString()) return 'Today'
  if (day === new Date(Date.now() - dayMs).toDateString()) return 'Yesterday'
  return formatDate(iso)
}
