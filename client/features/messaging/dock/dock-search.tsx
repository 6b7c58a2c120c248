import { useQuery } from '@tanstack/react-query'
import { type FormEvent, Fragment, useDeferredValue, useState } from 'react'
import { nothingFound } from '#client/lib/form/nothing-found.ts'
import { Dialog } from '#client/ui/dialog.tsx'
import { QueryError } from '#client/ui/query-state.tsx'
import { SearchInput } from '#client/ui/input.tsx'
import { RateLimitCountdown } from '#client/ui/rate-limit-countdown.tsx'
import { toastFailure } from '#client/ui/toast-store.ts'
import { dealerSearchQuery, messageSearchQuery } from '../messaging.api.ts'
import { DealerRow, RowsSkeleton } from '../chat-list-rows.tsx'
import { messagingStore } from '../messaging.store.ts'
import { startChat } from '../open-chat-with.ts'
import { messageClient } from '../sync/current-client.ts'

const leadMax = 16

function hitsOf(search: string): RegExp | undefined {
  const words = search.match(/[\p{L}\p{N}]+/gu)
  return words === null ? undefined : new RegExp(`(?<![\\p{L}\\p{N}])(${words.join('|')})`, 'giu')
}

function FoundText({ content, search }: { content: string; search: string }) {
  const hits = hitsOf(search)
  if (hits === undefined) return content
  const lead = content.search(hits) - leadMax
  const start = lead <= 0 ? 0 : content.indexOf(' ', lead) + 1
  // `split` with a group puts the matches at odd indexes.
  const parts = content.slice(start).split(hits)
  return (
    <>
      {start > 0 ? '… ' : ''}
      {parts.map((part, index) =>
        index % 2 === 0 ? (
          <Fragment key={index}>{part}</Fragment>
        ) : (
          <mark key={index} className="bg-transparent font-semibold text-ink">
            {part}
          </mark>
        ),
      )}
    </>
  )
}

export function MessagingFound({ text, onOpen }: { text: string; onOpen: (chatId: string) => void }) {
  const query = useQuery(messageSearchQuery(text))
  if (query.error) return <QueryError query={query} failure="Messages could not be searched" className="p-2" />
  const found = query.data ?? []
  if (found.length === 0)
    return query.isPending ? (
      <RateLimitCountdown query={query} className="m-2" />
    ) : (
      <p className="border-t border-line px-3 py-4 text-center text-ink-2">No messages found</p>
    )
  const show = async (chatId: string, seq: number) => {
    if (messageClient().data.chat(chatId) === undefined) await messageClient().sync.loadChat(chatId)
    messagingStore.set((state) => void (state.wantedSeq[chatId] = seq))
    onOpen(chatId)
  }
  return (
    <section aria-label="Found messages" className="border-t border-line">
      <h3 className="px-3 pt-2 text-xs text-ink-3">Messages</h3>
      {found.map(({ chatId, message, other }) => (
        <DealerRow
          key={message.id}
          dealer={other}
          detail={<FoundText content={message.content} search={text} />}
          at={message.createdAt}
          onPick={() => void show(chatId, message.seq)}
        />
      ))}
    </section>
  )
}

interface MessagingNewProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  onOpen: (chatId: string) => void
}

export function MessagingNew({ open, onOpenChange, onOpen }: MessagingNewProps) {
  const [text, setText] = useState('')
  const wanted = useDeferredValue(text.trim())
  const dealerId = messagingStore.use((state) => state.dealerId)
  const query = useQuery({ ...dealerSearchQuery(wanted), enabled: open && wanted !== '' })
  const pick = async (otherId: string) => {
    try {
      const chatId = await startChat(otherId)
      if (chatId === undefined) return
      onOpen(chatId)
      onOpenChange(false)
      setText('')
    } catch (error) {
      toastFailure('The chat could not be opened', error)
    }
  }
  const dealers = wanted === '' ? [] : (query.data ?? []).filter(({ id }) => id !== dealerId)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const [only, another] = query.isPlaceholderData ? [] : dealers
    if (only !== undefined && another === undefined) void pick(only.id)
  }
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="New message" flush>
      <form role="search" onSubmit={submit} className="sticky top-0 z-10 border-b border-line bg-raised p-3">
        <SearchInput
          label="Search dealers"
          placeholder="Name or dealership"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </form>
      <div className="md:h-80">
        <QueryError query={query} failure="Dealers could not be loaded" className="p-2" />
        <RateLimitCountdown query={query} className="m-2" />
        {query.isLoading ? <RowsSkeleton label="Loading dealers" /> : null}
        {wanted === '' ? <p className="p-4 text-center text-ink-2">Type a name or a dealership.</p> : null}
        {query.isSuccess && wanted !== '' && dealers.length === 0 ? (
          <p className="p-4 text-center text-ink-2">{nothingFound('No dealers found', wanted)}</p>
        ) : null}
        {dealers.map((dealer) => (
          <DealerRow
            key={dealer.id}
            dealer={dealer}
            detail={`${dealer.dealershipName} · ${dealer.city}, ${dealer.state}`}
            onPick={() => void pick(dealer.id)}
          />
        ))}
      </div>
    </Dialog>
  )
}
