import type { Message } from '#shared/schemas/messaging.ts'
import type { PendingMessage } from './messaging.store.ts'

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
export function logRows(
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
