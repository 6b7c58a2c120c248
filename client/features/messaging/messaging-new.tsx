import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useDeferredValue, useState } from 'react'
import { reasonOf } from '#client/lib/api.ts'
import { nothingFound } from '#client/lib/short-search.ts'
import { Dialog } from '#client/ui/dialog.tsx'
import { InlineError } from '#client/ui/inline-error.tsx'
import { SearchInput } from '#client/ui/input.tsx'
import { Patience } from '#client/ui/patience.tsx'
import { toastFailure } from '#client/ui/toast-store.ts'
import { dealerSearchQuery } from './messaging.api.ts'
import { DealerRow } from './messaging-dealer-row.tsx'
import { RowsSkeleton } from './rows-skeleton.tsx'
import { messagingStore } from './messaging.store.ts'
import { startChat } from './open-chat-with.ts'

interface MessagingNewProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  onOpen: (chatId: string) => void
}

/** Finds a dealer to write to. */
export function MessagingNew({ open, onOpenChange, onOpen }: MessagingNewProps) {
  const [text, setText] = useState('')
  const wanted = useDeferredValue(text.trim())
  const dealerId = messagingStore.use((state) => state.dealerId)
  const query = useQuery({ ...dealerSearchQuery(wanted), enabled: open && wanted !== '' })
  const pick = async (otherId: string) => {
    try {
      onOpen(await startChat(otherId))
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
        {query.error ? (
          <div className="p-2">
            <InlineError
              title="Dealers did not load"
              message={reasonOf(query.error)}
              onRetry={() => void query.refetch()}
            />
          </div>
        ) : null}
        <Patience query={query} className="m-2" />
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
