import { useQuery } from '@tanstack/react-query'
import { reasonOf } from '#client/lib/api.ts'
import { InlineError } from '#client/ui/inline-error.tsx'
import { Patience } from '#client/ui/patience.tsx'
import { messageSearchQuery } from './messaging.api.ts'
import { FoundText } from './found-text.tsx'
import { DealerRow } from './messaging-dealer-row.tsx'
import { messagingStore } from './messaging.store.ts'
import { fill } from './messaging.sync.ts'

/** Messages that contain the words; pressing one shows it in its chat. */
export function MessagingFound({ text, onOpen }: { text: string; onOpen: (chatId: string) => void }) {
  const query = useQuery(messageSearchQuery(text))
  if (query.error)
    return (
      <div className="p-2">
        <InlineError
          title="Messages could not be searched"
          message={reasonOf(query.error)}
          onRetry={() => void query.refetch()}
          retrying={query.isFetching}
        />
      </div>
    )
  const found = query.data ?? []
  if (found.length === 0)
    return query.isPending ? (
      <Patience query={query} className="m-2" />
    ) : (
      <p className="border-t border-line px-3 py-4 text-center text-ink-2">No messages found</p>
    )
  const show = async (chatId: string, seq: number) => {
    if (messagingStore.get().chats[chatId] === undefined) await fill(chatId)
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
