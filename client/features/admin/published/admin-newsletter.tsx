import { useInfiniteQuery } from '@tanstack/react-query'
import Mailbox from 'lucide-react/icons/mailbox'
import type { NewsletterSubscriber } from '#shared/schemas/site.ts'
import { Badge } from '#client/ui/badge.tsx'
import { Card, CardHeader } from '#client/ui/card.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { formatDate, plural } from '#client/ui/format.ts'
import { LoadMore } from '#client/ui/load-more.tsx'
import { type Column, Table } from '#client/ui/table.tsx'
import { subscribersQuery } from './admin-published.api.ts'
import { AdminIssues } from './admin-issues.tsx'
import { Load } from '../home/admin-load.tsx'

const columns: readonly Column<NewsletterSubscriber>[] = [
  { key: 'email', title: 'Email', cell: ({ email }) => <span className="wrap-anywhere">{email}</span> },
  { key: 'since', title: 'Since', cell: ({ createdAt }) => <span className="num">{formatDate(createdAt)}</span> },
  {
    key: 'state',
    title: 'Status',
    cell: ({ confirmedAt }) =>
      confirmedAt === null ? <Badge tone="neutral">Not confirmed</Badge> : <Badge tone="success">Subscribed</Badge>,
  },
]

export function AdminNewsletter() {
  const subscribers = useInfiniteQuery(subscribersQuery())
  const rows = subscribers.data?.pages.flatMap((page) => page.subscribers) ?? []
  const confirmed = subscribers.data?.pages[0]?.confirmed
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-3 lg:grid-cols-2">
      <div className="space-y-3">
        <AdminIssues />
      </div>
      <Card>
        <CardHeader title="Subscribers">
          <span className="num text-xs text-ink-2" role="status">
            {confirmed === undefined ? '' : plural(confirmed, 'subscriber')}
          </span>
        </CardHeader>
        <Load query={subscribers} what="subscribers">
          {() => (
            <Table
              caption="Subscribers"
              columns={columns}
              rows={rows}
              rowKey={({ id }) => id}
              empty={
                <EmptyState
                  icon={<Mailbox size={24} />}
                  title="No subscribers yet"
                  hint="Visitors subscribe on the blog page."
                />
              }
            />
          )}
        </Load>
        {subscribers.hasNextPage ? (
          <LoadMore busy={subscribers.isFetchingNextPage} onLoad={() => void subscribers.fetchNextPage()} />
        ) : null}
      </Card>
    </div>
  )
}
