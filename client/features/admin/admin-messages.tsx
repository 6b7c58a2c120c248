import { useInfiniteQuery } from '@tanstack/react-query'
import { MailCheck, Reply } from 'lucide-react'
import { useState } from 'react'
import type { ContactEntry, ContactState } from '#shared/schemas/site.ts'
import { Badge } from '#client/ui/badge.tsx'
import { Button, buttonClass } from '#client/ui/button.tsx'
import { Card } from '#client/ui/card.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { capitalise, formatDateTime, formatNumber } from '#client/ui/format.ts'
import { LoadMore } from '#client/ui/load-more.tsx'
import { Segmented } from '#client/ui/segmented.tsx'
import { contactQuery, useHandleMessage } from './admin.api.ts'
import { Load } from './admin-load.tsx'

const empty = {
  waiting: { title: 'Nothing waits', hint: 'Messages from the contact page appear here.' },
  handled: { title: 'Nothing handled yet', hint: 'Messages you have marked as handled stay here.' },
}

/** /admin/messages: what came in through the contact page, also mailed to support. */
export function AdminMessages() {
  const [state, setState] = useState<ContactState>('waiting')
  const messages = useInfiniteQuery(contactQuery(state))
  const rows = messages.data?.pages.flatMap((page) => page.messages) ?? []
  const waiting = messages.data?.pages[0]?.waiting
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
            <ul className="divide-y divide-line">
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
  const handle = useHandleMessage()
  const { id, name, email, company, dealershipType, topic, handledAt, handledBy } = message
  const from = [company, dealershipType && capitalise(dealershipType)].filter(Boolean).join(' · ')
  const isHandled = handledAt !== null
  return (
    <li className="flex flex-wrap items-start gap-3 p-4">
      <div className="min-w-0 flex-1 basis-72">
        <p className="flex flex-wrap items-center gap-2">
          <span className="font-semibold">{name}</span>
          <Badge tone="outline">{capitalise(topic)}</Badge>
          <time dateTime={message.createdAt} className="num text-xs text-ink-3">
            {formatDateTime(message.createdAt)}
          </time>
        </p>
        <p className="text-xs wrap-anywhere text-ink-2">{[email, from].filter(Boolean).join(' · ')}</p>
        <p className="mt-2 max-w-prose text-base wrap-anywhere whitespace-pre-line">{message.message}</p>
        {isHandled ? (
          <p className="mt-2 text-xs text-ink-3">
            Handled by {handledBy || 'a former admin'}, {formatDateTime(handledAt)}
          </p>
        ) : null}
      </div>
      <div className="flex gap-2 max-md:-ml-3">
        <a href={`mailto:${email}`} aria-label={`Reply to ${name}`} className={buttonClass({ variant: 'ghost' })}>
          <Reply size={16} aria-hidden="true" />
          Reply
        </a>
        <Button
          aria-label={isHandled ? `Reopen the message of ${name}` : `Mark the message of ${name} as handled`}
          busy={handle.isPending}
          onClick={() => handle.mutate({ id, handled: !isHandled })}
        >
          {isHandled ? 'Reopen' : 'Mark handled'}
        </Button>
      </div>
    </li>
  )
}
