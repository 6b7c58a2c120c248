import { useInfiniteQuery } from '@tanstack/react-query'
import Bell from 'lucide-react/icons/bell'
import { Button } from '#client/ui/button.tsx'
import { Drawer } from '#client/ui/drawer.tsx'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { LoadMore } from '#client/ui/load-more.tsx'
import { QueryState } from '#client/ui/query-state.tsx'
import { SkeletonRows } from '#client/ui/skeleton.tsx'
import { NotificationItem } from './notification-item.tsx'
import { notificationsQuery, useMarkRead } from './notifications.api.ts'

interface NotificationsPanelProps {
  onClose: () => void
  onFollow?: () => void
}

export function NotificationsPanel({ onClose, onFollow }: NotificationsPanelProps) {
  const query = useInfiniteQuery(notificationsQuery())
  const mark = useMarkRead()
  const items = query.data?.pages.flatMap((page) => page.items)
  const unread = query.data?.pages[0]?.unread ?? 0
  return (
    <Drawer
      side="right"
      title="Notifications"
      closeLabel="Close notifications"
      open
      onOpenChange={(open) => !open && onClose()}
    >
      <div className="flex min-h-10 items-center justify-between gap-2">
        <p role="status" className="num text-xs text-ink-2">
          {unread === 0 ? 'Nothing unread' : `${unread} unread`}
        </p>
        <Button variant="ghost" size="sm" disabled={unread === 0} onClick={() => mark.mutate(undefined)}>
          Mark all as read
        </Button>
      </div>
      <QueryState query={query} failure="Your notifications could not be loaded" label="Loading notifications">
        <SkeletonRows rows={6} />
      </QueryState>
      {items?.length === 0 ? (
        <EmptyState
          icon={<Bell size={24} />}
          title="No notifications yet"
          hint="Updates about your comments, requests, bids and deals appear here."
        />
      ) : null}
      <ul className="divide-y divide-line overflow-hidden rounded-md bg-surface">
        {items?.map((item) => (
          <li key={item.id}>
            <NotificationItem
              item={item}
              onOpen={({ id, read }) => {
                if (!read) mark.mutate([id])
                onFollow?.()
              }}
            />
          </li>
        ))}
      </ul>
      {query.hasNextPage ? (
        <LoadMore busy={query.isFetchingNextPage} onLoad={() => void query.fetchNextPage()} />
      ) : null}
    </Drawer>
  )
}
