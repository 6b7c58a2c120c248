import { useInfiniteQuery } from '@tanstack/react-query'
import KeyRound from 'lucide-react/icons/key-round'
import MailCheck from 'lucide-react/icons/mail-check'
import Reply from 'lucide-react/icons/reply'
import { useRef, useState } from 'react'
import type { ContactEntry, ContactState } from '#shared/schemas/site.ts'
import { useKeptFormState } from '#client/lib/storage/kept-forms.ts'
import { Badge } from '#client/ui/badge.tsx'
import { Button } from '#client/ui/button.tsx'
import { Card } from '#client/ui/card.tsx'
import { Field } from '#client/ui/field.tsx'
import { Textarea } from '#client/ui/textarea.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { capitalize, formatDateTime, formatNumber } from '#client/ui/format.ts'
import { useListFocus } from '#client/ui/list-focus.ts'
import { LoadMore } from '#client/ui/load-more.tsx'
import { usePanelFocus } from '#client/ui/modal-focus.ts'
import { Segmented } from '#client/ui/segmented.tsx'
import { contactQuery, useAnswerMessage, useChangeApiAccess, useHandleMessage } from '../admin.api.ts'
import { Load } from '../home/admin-load.tsx'

const empty = {
  waiting: { title: 'Nothing waiting', hint: 'Messages from the contact page appear here.' },
  handled: { title: 'Nothing handled yet', hint: 'Messages you mark as handled appear here.' },
}

/** Lists messages from the contact page. They are also emailed to support. */
export function AdminMessages() {
  const [state, setState] = useState<ContactState>('waiting')
  const messages = useInfiniteQuery(contactQuery(state))
  const rows = messages.data?.pages.flatMap((page) => page.messages) ?? []
  const waiting = messages.data?.pages[0]?.waiting
  const focus = useListFocus()
  return (
    <Card>
      <div className="flex border-b border-line p-4">
        <Segmented
          label="Messages"
          value={state}
          onChange={setState}
          options={[
            { value: 'waiting', label: waiting ? `Waiting (${formatNumber(waiting)})` : 'Waiting' },
            { value: 'handled', label: 'Handled' },
          ]}
        />
      </div>
      <Load query={messages} what="messages">
        {() =>
          rows.length === 0 ? (
            <EmptyState icon={<MailCheck size={24} />} {...empty[state]} />
          ) : (
            <ul {...focus} className="divide-y divide-line">
              {rows.map((message) => (
                <MessageRow key={message.id} message={message} />
              ))}
            </ul>
          )
        }
      </Load>
      {messages.hasNextPage ? (
        <LoadMore busy={messages.isFetchingNextPage} onLoad={() => void messages.fetchNextPage()} />
      ) : null}
    </Card>
  )
}

function MessageRow({ message }: { message: ContactEntry }) {
  const [answering, setAnswering] = useState(false)
  const { name, email, company, dealershipType, topic, handledAt, handledBy } = message
  const from = [company, dealershipType && capitalize(dealershipType)].filter(Boolean).join(' · ')
  return (
    <li className="flex flex-wrap items-start gap-3 p-4">
      <div className="min-w-0 flex-1 basis-72">
        <p className="flex flex-wrap items-center gap-2">
          <span className="font-semibold">{name}</span>
          <Badge tone="outline">{capitalize(topic)}</Badge>
          <time dateTime={message.createdAt} className="num text-xs text-ink-3">
            {formatDateTime(message.createdAt)}
          </time>
        </p>
        <p className="text-xs wrap-anywhere text-ink-2">{[email, from].filter(Boolean).join(' · ')}</p>
        <p className="mt-2 max-w-prose text-base wrap-anywhere whitespace-pre-line">{message.message}</p>
        {message.answers.map((answer) => (
          <div key={answer.id} className="mt-2 max-w-prose rounded-md bg-sunken p-3">
            <p className="text-xs text-ink-2">
              Reply from {answer.sentBy || 'a former admin'}, {formatDateTime(answer.createdAt)}
            </p>
            <p className="mt-1 wrap-anywhere whitespace-pre-line">{answer.content}</p>
          </div>
        ))}
        {answering ? <AnswerForm message={message} onDone={() => setAnswering(false)} /> : null}
        {handledAt !== null ? (
          <p className="mt-2 text-xs text-ink-3">
            Handled by {handledBy || 'a former admin'}, {formatDateTime(handledAt)}
          </p>
        ) : null}
      </div>
      <MessageActs message={message} answering={answering} onAnswer={() => setAnswering(!answering)} />
    </li>
  )
}

interface MessageActsProps {
  message: ContactEntry
  answering: boolean
  onAnswer: () => void
}

function MessageActs({ message, answering, onAnswer }: MessageActsProps) {
  const handle = useHandleMessage()
  const grant = useChangeApiAccess()
  const { id, name, topic, dealer } = message
  const isHandled = message.handledAt !== null
  return (
    <div className="flex flex-wrap gap-2 max-md:-ml-3">
      {dealer && topic === 'api' && !dealer.apiAccess ? (
        <Button
          aria-label={`Grant API access to ${dealer.name}`}
          icon={<KeyRound size={16} />}
          busy={grant.isPending}
          onClick={() => grant.mutate({ id: dealer.id, granted: true })}
        >
          Grant API access
        </Button>
      ) : null}
      <Button
        variant="ghost"
        aria-label={`Reply to ${name}`}
        aria-expanded={answering}
        icon={<Reply size={16} />}
        onClick={onAnswer}
      >
        Reply
      </Button>
      <Button
        aria-label={isHandled ? `Reopen the message from ${name}` : `Mark as handled: the message from ${name}`}
        busy={handle.isPending}
        onClick={() => handle.mutate({ id, handled: !isHandled })}
      >
        {isHandled ? 'Reopen' : 'Mark as handled'}
      </Button>
    </div>
  )
}

/** The answer is emailed to the sender and stored with the message. */
function AnswerForm({ message: { id, name, email }, onDone }: { message: ContactEntry; onDone: () => void }) {
  const send = useAnswerMessage()
  const { values, set, forget } = useKeptFormState(`answer.${id}`, { content: '' })
  const content = values.content.trim()
  const [missing, setMissing] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  usePanelFocus(form)
  const close = () => {
    forget()
    onDone()
  }
  // `mutateAsync` runs its callbacks even if the admin has left the page, so that the draft is deleted after sending.
  const submit = () => void send.mutateAsync({ id, content }).then(close, () => undefined)
  return (
    <form
      ref={form}
      noValidate
      className="mt-3 max-w-prose space-y-2"
      onSubmit={(event) => {
        event.preventDefault()
        setMissing(content === '')
        if (content !== '') submit()
      }}
    >
      <Field
        label={`Your reply to ${name}`}
        hint={`Emailed to ${email} and saved here. The message is then marked as handled.`}
        error={missing ? 'Write a reply' : undefined}
      >
        <Textarea
          rows={5}
          maxLength={5_000}
          value={values.content}
          onChange={(event) => set('content', event.target.value)}
        />
      </Field>
      <div className="flex gap-2">
        <Button type="submit" variant="primary" busy={send.isPending}>
          {send.isPending ? 'Sending...' : 'Send Reply'}
        </Button>
        <Button onClick={close}>Cancel</Button>
      </div>
    </form>
  )
}
