import { useMutation } from '@tanstack/react-query'
import MessagesSquare from 'lucide-react/icons/messages-square'
import { useDeferredValue, useMemo, useState } from 'react'
import { useDraft } from '#client/lib/storage/drafts.ts'
import { Button } from '#client/ui/button.tsx'
import { Count } from '#client/ui/count.tsx'
import { cx } from '#client/ui/cx.ts'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { InlineError } from '#client/ui/inline-error.tsx'
import { SearchInput } from '#client/ui/input.tsx'
import { LoadMore } from '#client/ui/load-more.tsx'
import { useConversations, useMessages } from '../use-chats.ts'
import type { ChatHead } from '../messaging.api.ts'
import { RowsSkeleton, RowTime } from '../chat-list-rows.tsx'
import { messagingStore } from '../messaging.store.ts'
import { messagesOf } from '../sync/chat-stream.ts'
import { messageClient } from '../sync/current-client.ts'
import { removedText } from '../thread/bubble.tsx'
import { MessagingFound } from './dock-search.tsx'
import { ChatAvatar, MutedMark } from './dock-window.tsx'

function GenerateDemoChats() {
  const generate = useMutation({
    mutationFn: () => messageClient().chats.generate(),
    onError: (error) => reportError(error),
  })
  return (
    <Button variant="primary" busy={generate.isPending} onClick={() => generate.mutate()}>
      Generate Demo Chats
    </Button>
  )
}

const watchedRows = 12
const searchMin = 2
const nearEndPx = 200

interface MessagingListProps {
  onOpen: (chatId: string) => void
  openIds: readonly string[]
  searchLabel: string
  emptyTitle: string
  isDetailed?: boolean
}

export function MessagingList({ onOpen, openIds, searchLabel, emptyTitle, isDetailed = false }: MessagingListProps) {
  const [text, setText] = useState('')
  const wanted = useDeferredValue(text.trim())
  const { chats, more, isLoadingMore, isLoading, failure, isRetrying, retry } = useConversations(wanted)
  const isSearching = wanted.length >= searchMin
  return (
    <>
      <form role="search" className="border-b border-line px-3 py-2" onSubmit={(event) => event.preventDefault()}>
        <SearchInput
          label={searchLabel}
          placeholder={searchLabel}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </form>
      <div
        className="min-h-0 flex-1 overflow-y-auto overscroll-contain"
        onScroll={({ currentTarget: list }) => {
          if (list.scrollTop + list.clientHeight > list.scrollHeight - nearEndPx) more?.()
        }}
      >
        {failure === undefined ? null : (
          <div className="p-2">
            <InlineError
              title="Conversations could not be loaded"
              message={failure}
              onRetry={retry}
              retrying={isRetrying}
            />
          </div>
        )}
        {isLoading && chats.length === 0 ? <RowsSkeleton label="Loading conversations" /> : null}
        <ul aria-label="Conversations">
          {chats.map((chat, index) => (
            <li key={chat.id}>
              <Conversation
                chat={chat}
                isOpen={openIds.includes(chat.id)}
                isWatched={index < watchedRows}
                isDetailed={isDetailed}
                onOpen={() => onOpen(chat.id)}
              />
            </li>
          ))}
        </ul>
        {more ? <LoadMore label="Load more conversations" busy={isLoadingMore} onLoad={more} /> : null}
        {chats.length === 0 && !isLoading && failure === undefined ? (
          <NoConversations isSearched={wanted !== ''} title={emptyTitle} />
        ) : null}
        {isSearching ? <MessagingFound text={wanted} onOpen={onOpen} /> : null}
      </div>
    </>
  )
}

function NoConversations({ isSearched, title }: { isSearched: boolean; title: string }) {
  if (isSearched) return <p className="px-3 py-4 text-center text-ink-2">No conversations found</p>
  return (
    <EmptyState
      compact
      icon={<MessagesSquare size={24} />}
      title={title}
      hint="Message a dealer from a post, or try it with demo dealers."
      action={<GenerateDemoChats />}
    />
  )
}

interface ConversationProps {
  chat: ChatHead
  isOpen: boolean
  isWatched: boolean
  isDetailed: boolean
  onOpen: () => void
}

function Conversation({ chat, isOpen, isWatched, isDetailed, onOpen }: ConversationProps) {
  const unread = chat.unreadCount
  return (
    <button
      type="button"
      onClick={onOpen}
      aria-current={isOpen || undefined}
      className={cx(
        'flex min-h-14 w-full items-center gap-3 px-3 py-1 text-left -outline-offset-2',
        isOpen && 'shadow-[inset_2px_0_0_var(--lw-accent)]',
        isOpen && isDetailed ? 'bg-accent-soft' : 'hover:bg-hover',
      )}
    >
      <ChatAvatar chat={chat} isWatched={isWatched} />
      <span className="min-w-0 flex-1">
        <span className="flex justify-between gap-2">
          <span className="flex min-w-0 items-center gap-1">
            <span className={cx('truncate', unread > 0 ? 'font-semibold' : 'font-medium')}>{chat.other.name}</span>
            {chat.muted ? <MutedMark /> : null}
          </span>
          <RowTime iso={chat.lastActivity} />
        </span>
        {isDetailed ? <span className="block truncate text-xs text-ink-2">{chat.other.dealershipName}</span> : null}
        <span className="flex min-h-5 items-center justify-between gap-2">
          <span className={cx('truncate text-xs', unread > 0 ? 'font-medium text-ink' : 'text-ink-2')}>
            <Preview chat={chat} nothing={isDetailed ? 'No messages yet' : chat.other.dealershipName} />
          </span>
          {unread > 0 ? (
            <span className="flex-none">
              <span className="sr-only">{unread} unread</span>
              <span aria-hidden="true">
                <Count value={unread} tone="accent" />
              </span>
            </span>
          ) : null}
        </span>
      </span>
    </button>
  )
}

function Preview({ chat, nothing }: { chat: ChatHead; nothing: string }) {
  const stream = useMessages(chat.id)
  const draft = useDraft(chat.id)
  const pending = messagingStore.use((state) => state.pending.findLast((one) => one.chatId === chat.id))
  const last = useMemo(() => (stream ? messagesOf(stream).at(-1) : undefined), [stream])
  if (pending) return `${pending.state === 'failed' ? 'Not sent: ' : 'Sending: '}${pending.content || 'Attachment'}`
  if (draft) return `Draft: ${draft}`
  if (last === undefined) return nothing
  if (last.hidden) return removedText
  const text = last.content || (last.attachmentName ?? 'Attachment')
  return last.senderId === chat.me.id ? `You: ${text}` : text
}
