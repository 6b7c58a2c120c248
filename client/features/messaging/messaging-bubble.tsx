import { Check, CircleAlert, Flag } from 'lucide-react'
import { askToReport } from '#client/lib/reporting.ts'
import { cx } from '#client/ui/cx.ts'
import { formatTime } from '#client/ui/format.ts'
import { IconButton } from '#client/ui/icon-button.tsx'
import type { Message } from '#shared/schemas/messaging.ts'
import { MessageBody } from './messaging-body.tsx'
import { discard, retry } from './messaging.outbox.ts'
import type { PendingMessage } from './messaging.store.ts'

const bubble =
  'max-w-[212px] rounded-md px-3 py-1 whitespace-pre-wrap wrap-anywhere group-data-[wide]:max-w-[min(80%,480px)]'
const meta = 'flex items-center gap-1 text-xs text-ink-3'

/** In place of what a moderator took away. */
export const removedText = 'This message was removed by a moderator'

interface MessageBubbleProps {
  message: Message
  own: boolean
  endsRun: boolean
  /** The other has read this one, and it is the last of one's own that they have. */
  seen: boolean
  /** The newest of one's own: says that it was sent. */
  isLastOwn: boolean
}

export function MessageBubble({ message, own, endsRun, seen, isLastOwn }: MessageBubbleProps) {
  return (
    <div data-seq={message.seq} className={cx('group/bubble flex flex-col gap-1', own ? 'items-end' : 'items-start')}>
      <div className={cx('flex max-w-full items-center gap-1 group-data-[wide]:w-full', own && 'justify-end')}>
        <div
          // A tap focuses it, which shows what can be done with it.
          tabIndex={-1}
          className={cx(
            bubble,
            'focus:outline-none',
            own ? 'bg-accent-soft' : 'bg-hover',
            endsRun && (own ? 'rounded-br-none' : 'rounded-bl-none'),
          )}
        >
          {message.hidden ? (
            <span className="text-ink-2">{removedText}</span>
          ) : (
            <MessageBody content={message.content} url={message.attachmentUrl} name={message.attachmentName} />
          )}
        </div>
        {own || message.hidden ? null : <ReportMessage message={message} />}
      </div>
      {endsRun || seen ? (
        <p className={meta}>
          {own && isLastOwn && !seen ? <Check size={14} aria-hidden="true" /> : null}
          <span>
            {own && seen ? 'Seen ' : own && isLastOwn ? 'Sent ' : ''}
            <time dateTime={message.createdAt} className="num">
              {formatTime(message.createdAt)}
            </time>
          </span>
        </p>
      ) : null}
    </div>
  )
}

/** Beside the messages of others: under the pointer or the focus; where there is no pointer, after a tap on the message. */
function ReportMessage({ message }: { message: Message }) {
  const name = message.content || (message.attachmentName ?? 'Attachment')
  return (
    <IconButton
      label="Report message"
      size="sm"
      icon={<Flag size={14} />}
      onClick={() => askToReport({ kind: 'message', id: message.id, name })}
      className="opacity-0 group-focus-within/bubble:opacity-100 group-hover/bubble:opacity-100 max-md:-my-2 touch:pointer-events-none touch:-my-2 touch:group-focus-within/bubble:pointer-events-auto"
    />
  )
}

export function PendingBubble({ message }: { message: PendingMessage }) {
  const failed = message.state === 'failed'
  return (
    <div className="flex flex-col items-end gap-1">
      <div
        className={cx(
          bubble,
          'rounded-br-none',
          failed ? 'bg-danger-soft shadow-[inset_0_0_0_1px_var(--lw-danger-line)]' : 'bg-accent-soft',
        )}
      >
        <MessageBody content={message.content} url={message.attachmentUrl} name={message.attachmentName} />
      </div>
      {failed ? <Failure message={message} /> : <p className={meta}>Sending</p>}
    </div>
  )
}

function Failure({ message }: { message: PendingMessage }) {
  const act = 'rounded-sm font-semibold underline underline-offset-2 max-md:min-h-11 touch:min-h-11'
  return (
    <div
      role="alert"
      className="flex max-w-[212px] flex-col items-end gap-1 text-xs text-danger-ink group-data-[wide]:max-w-[min(80%,480px)]"
    >
      <p className="flex items-center gap-1">
        <CircleAlert size={14} aria-hidden="true" />
        Not sent.
        <button type="button" className={act} onClick={() => retry(message.clientId)}>
          Retry
        </button>
        <button type="button" className={act} onClick={() => discard(message.clientId)}>
          Delete
        </button>
      </p>
      {message.reason ? <p className="text-right">{message.reason}</p> : null}
    </div>
  )
}

/** Three dots; said in words for assistive tech. */
export function TypingBubble({ name }: { name: string }) {
  return (
    <div role="status" className="flex gap-1 self-start rounded-md bg-hover px-3 py-2">
      <span className="sr-only">{name} is typing</span>
      {[0, 150, 300].map((delay) => (
        <span
          key={delay}
          aria-hidden="true"
          style={{ animationDelay: `${delay}ms` }}
          className="size-1 animate-pulse-live rounded-full bg-ink-3"
        />
      ))}
    </div>
  )
}
