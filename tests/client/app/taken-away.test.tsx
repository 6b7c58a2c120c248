import { becomes, show } from '#tests/support/screen.tsx'
import { act, screen } from '@testing-library/react'
import type { QueryClient } from '@tanstack/react-query'
import { randomUUID } from 'node:crypto'
import t from 'tap'
import { NotificationsPanel } from '#client/features/notifications/notifications-panel.tsx'
import { notificationsInbox } from '#client/features/notifications/notifications.live.ts'
import { SavedSearches } from '#client/features/saved/saved-searches.tsx'
import { savedInbox } from '#client/features/saved/saved.live.ts'
import { type Notification, NotificationsPage } from '#shared/schemas/notifications.ts'
import { SavedSearch } from '#shared/schemas/saved.ts'
import { press, says } from '#tests/support/controls.ts'
import { answer, fakeNetwork, http, HttpResponse } from '#tests/support/network.ts'
import Type from 'typebox'

// An item is removed from a list while the response to an earlier read of the list is still pending.

const at = '2026-11-20T10:00:00.000Z'
const isStill = (cache: QueryClient) => cache.isMutating() + cache.isFetching() === 0

/** Delays the second response after the server has read its data. */
function slowSecond() {
  let arrive = () => {}
  const arrived = new Promise<void>((resolve) => (arrive = resolve))
  const reads = { count: 0 }
  return {
    reads,
    arrive: () => arrive(),
    async answered(read: Response): Promise<Response> {
      reads.count += 1
      if (reads.count === 2) await arrived
      return read
    },
  }
}

t.test('does not restore a removed search with an older list', async (t) => {
  const saved: SavedSearch = {
    id: randomUUID(),
    kind: 'feed',
    search: 'tundra',
    sort: 'recent',
    query: null,
    createdAt: at,
  }
  const server = { all: [saved] }
  const slow = slowSecond()
  fakeNetwork(t).use(
    http.get('*/api/saved-searches', () => slow.answered(answer(Type.Array(SavedSearch), server.all))),
    http.delete('*/api/saved-searches/:id', () => {
      server.all = []
      return new HttpResponse(null, { status: 204 })
    }),
  )
  const { cache } = show(t, <SavedSearches />)
  await says('tundra')
  act(() => savedInbox.saved(cache))
  await becomes(t, () => slow.reads.count, 2)
  await press('Remove saved search tundra')
  await becomes(t, () => server.all.length + cache.isMutating(), 0)
  slow.arrive()
  await becomes(t, () => isStill(cache), true)
  t.equal(screen.queryAllByText('tundra').length, 0)
})

t.test('does not mark notifications as unread with an older list', async (t) => {
  const notification: Notification = {
    id: '0190a5d0-0000-7000-8000-000000000001',
    kind: 'comment',
    title: 'Marcus Webb',
    body: 'Is it still there?',
    path: '/post/1',
    createdAt: at,
    read: false,
    push: true,
    actor: null,
  }
  const server = { read: false }
  const slow = slowSecond()
  fakeNetwork(t).use(
    http.get('*/api/notifications', () => {
      const { read } = server
      const items = [{ ...notification, read }]
      return slow.answered(answer(NotificationsPage, { items, unread: read ? 0 : 1, more: false, latestPush: null }))
    }),
    http.post('*/api/notifications/read', () => {
      server.read = true
      return new HttpResponse(null, { status: 204 })
    }),
  )
  const { cache } = show(t, <NotificationsPanel onClose={() => undefined} />)
  await says('1 unread')
  act(() => notificationsInbox.notification(cache))
  await becomes(t, () => slow.reads.count, 2)
  await press('Mark all as read')
  await becomes(t, () => server.read && cache.isMutating() === 0, true)
  slow.arrive()
  await becomes(t, () => isStill(cache), true)
  await says('Nothing unread')
})
