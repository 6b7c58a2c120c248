import Check from 'lucide-react/icons/check'
import CircleAlert from 'lucide-react/icons/circle-exclamation-point'
import FileText from 'lucide-react/icons/file-text'
import Flag from 'lucide-react/icons/flag'
import { Fragment } from 'react'
import { Link } from 'wouter'
import { askToReport } from '#client/lib/screen/report-subject.ts'
import { cx } from '#client/ui/cx.ts'
import { formatMoney, formatTime, plural } from '#client/ui/format.ts'
import { IconButton } from '#client/ui/icon-button.tsx'
import { Picture } from '#client/ui/picture.tsx'
import { PulsingDot } from '#client/ui/pulsing-dot.tsx'
import type { Message, MessageSubject } from '#shared/schemas/messaging.ts'
import type { PendingMessage } from '../messaging.store.ts'
import { messageClient } from '../sync/current-client.ts'

interface MessageBodyProps {
  content: string
  url: string | null | undefined
  name: string | null | undefined
}

const pdf = /\.pdf$/i

function MessageBody({ content, url, name }: MessageBodyProps) {
  const label = name ?? 'Attachment'
  const isPdf = pdf.test(label)
  return (
    <>
      {url && isPdf ? (
        <a
          href={url}
          target="_blank"
          rel="noreferrer"
          className="my-1 flex items-center gap-2 rounded-sm text-accent-ink underline"
          download={label}
        >
          <FileText size={16} aria-hidden="true" className="flex-none" />
          {label}
        </a>
      ) : null}
      {url && !isPdf ? (
        <Picture
          src={url}
          alt={label}
          href={url}
          className="my-1 h-32 w-45 max-w-full rounded-sm bg-pressed object-cover group-data-[wide]:w-64"
        />
      ) : null}
      <LinkedText text={content} />
    </>
  )
}

const webAddress = /(https?:\/\/[^\s<>"]*[^\s<>".,;:!?)'\]])/gi

function LinkedText({ text }: { text: string }) {
  return text.split(webAddress).map((part, index) =>
    index % 2 === 0 ? (
      <Fragment key={index}>{part}</Fragment>
    ) : (
      <a
        key={index}
        href={part}
        target="_blank"
        rel="noopener noreferrer nofollow"
        className="rounded-sm text-accent-ink underline underline-offset-2"
      >
        {part}
      </a>
    ),
  )
}

function SubjectLine({ subject }: { subject: MessageSubject }) {
  const { postId, title, price, photoUrl, vehicle, vehicleCount = 1 } = subject
  const several = vehicleCount > 1
  const facts = several ? plural(vehicleCount, 'vehicle') : vehicle
  return (
    <Link
      href={`/post/${postId}`}
      className="flex max-w-[13.25rem] items-start gap-2 rounded-sm border border-line bg-sunken px-2 py-1 group-data-[wide]:max-w-[min(80%,30rem)] hover:bg-hover max-md:min-h-11"
    >
      {photoUrl ? (
        <Picture src={photoUrl} alt="" className="h-7 w-10 flex-none rounded-sm bg-pressed object-cover" />
      ) : null}
      <span className="min-w-0 flex-1 text-xs wrap-anywhere text-ink-2">
        <span className="line-clamp-3">{title}</span>
        <span className="flex flex-wrap justify-between gap-x-2">
          {facts ? <span>{facts}</span> : null}
          {price === null ? null : (
            <span className="num font-semibold">{`${several ? 'from ' : ''}${formatMoney(price)}`}</span>
          )}
        </span>
      </span>
    </Link>
  )
}

const bubble =
  'max-w-[13.25rem] rounded-md px-3 py-1 whitespace-pre-wrap wrap-anywhere group-data-[wide]:max-w-[min(80%,30rem)]'
const meta = 'flex items-center gap-1 text-xs text-ink-3'

const Writer = ({ name }: { name: string }) => <span className="sr-only">{name}: </span>

export const removedText = 'This message was removed by a moderator'

interface MessageBubbleProps {
  message: Message
  own: boolean
  writer: string
  endsRun: boolean
  seen: boolean
  isLastOwn: boolean
}

export function MessageBubble({ message, own, writer, endsRun, seen, isLastOwn }: MessageBubbleProps) {
  const corner = own ? 'rounded-br-none' : 'rounded-bl-none'
  return (
    <div
      data-seq={message.seq}
      className={cx('group/bubble relative flex flex-col gap-1', own ? 'items-end' : 'items-start')}
    >
      <Writer name={writer} />
      {message.subject ? <SubjectLine subject={message.subject} /> : null}
      <div className={cx('flex max-w-full items-center gap-1 group-data-[wide]:w-full', own && 'justify-end')}>
        <div
          // Tapping the message focuses it, which shows its actions.
          tabIndex={-1}
          className={cx(bubble, 'focus:outline-none', own ? 'bg-accent-soft' : 'bg-hover', endsRun && corner)}
        >
          {message.hidden ? (
            <span className="text-ink-2">{removedText}</span>
          ) : (
            <MessageBody content={message.content} url={message.attachmentUrl} name={message.attachmentName} />
          )}
        </div>
        {own || message.hidden ? null : <ReportMessage message={message} />}
      </div>
      {endsRun || seen ? <DeliveryState at={message.createdAt} state={deliveryStateOf(own, seen, isLastOwn)} /> : null}
    </div>
  )
}

type MessageDeliveryState = 'Seen' | 'Sent' | undefined

function deliveryStateOf(own: boolean, seen: boolean, isLastOwn: boolean): MessageDeliveryState {
  if (own && seen) return 'Seen'
  return own && isLastOwn ? 'Sent' : undefined
}

function DeliveryState({ at, state }: { at: string; state: MessageDeliveryState }) {
  return (
    <p className={meta}>
      {state === 'Sent' ? <Check size={14} aria-hidden="true" /> : null}
      <span>
        {state === undefined ? '' : `${state} `}
        <time dateTime={at} className="num">
          {formatTime(at)}
        </time>
      </span>
    </p>
  )
}

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
    <div className="relative flex flex-col items-end gap-1">
      <Writer name="You" />
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
      className="flex max-w-[13.25rem] flex-col items-end gap-1 text-xs text-danger-ink group-data-[wide]:max-w-[min(80%,30rem)]"
    >
      <p className="flex items-center gap-1">
        <CircleAlert size={14} aria-hidden="true" />
        Not sent.
        <button type="button" className={act} onClick={() => messageClient().outbox.retry(message.clientId)}>
          Retry
        </button>
        <button type="button" className={act} onClick={() => messageClient().outbox.discard(message.clientId)}>
          Delete
        </button>
      </p>
      {message.reason ? <p className="text-right">{message.reason}</p> : null}
    </div>
  )
}

const typingDots = [0, 1, 2]

export function TypingBubble({ name }: { name: string }) {
  return (
    <div role="status" className="flex gap-1 self-start rounded-md bg-hover px-3 py-2 text-ink-3">
      <span className="sr-only">{name} is typing</span>
      {typingDots.map((place) => (
        <PulsingDot key={place} className="size-1" place={place} of={typingDots.length} />
      ))}
    </div>
  )
}
