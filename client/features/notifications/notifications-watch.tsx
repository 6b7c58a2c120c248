import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { showDesktopNotice } from '#client/lib/screen/desktop-notices.ts'
import { useCurrentDealer } from '#client/lib/session/current-dealer.ts'
import { hasPushDevice } from '#client/lib/push-device.ts'
import { usePublishNavCount } from '#client/lib/screen/nav-counts.ts'
import { notificationsQuery } from './notifications.api.ts'

/** Mounted on every page. Shows desktop notifications while the page is in the background. */
export function NotificationsWatch() {
  const { id: dealerId } = useCurrentDealer()
  const { data } = useInfiniteQuery(notificationsQuery())
  usePublishNavCount('notifications', data?.pages[0]?.unread ?? 0)
  const newest = data?.pages[0]?.latestPush
  const seen = useRef<string>(undefined)
  useEffect(() => {
    if (data === undefined) return
    const before = seen.current
    seen.current = newest?.id ?? ''
    if (before === undefined || !newest || newest.id <= before) return
    // If this browser is registered for push, the notification arrives as a push message instead.
    if (newest.read || !document.hidden || hasPushDevice(dealerId)) return
    // Several tabs use the same tag, so that the browser shows only one notification.
    const { title, body, id: tag, path } = newest
    void showDesktopNotice({ title, body, tag, path })
  }, [data, newest, dealerId])
  return null
}
