import { navigate } from 'wouter/use-browser-location'
import { tab } from '../storage/tab-state.ts'

export interface DesktopNotice {
  title: string
  body: string
  tag: string
  path: string
  silent?: boolean
}

export type NoticePermission = NotificationPermission | 'absent'

export const noticePermission = (): NoticePermission => ('Notification' in window ? Notification.permission : 'absent')

export const noticeObstacles: Record<Exclude<NoticePermission, 'granted'>, string> = {
  absent: 'This browser cannot show notifications. On an iPhone or iPad, choose Add to Home Screen first.',
  denied: 'This browser is blocking Lanewire notifications. Allow them in its site settings.',
  default: 'Notifications are not set up in this browser.',
}

/** Asks for permission to show notifications. Call this only in a click handler. Never rejects. */
export async function askForNotices(): Promise<NoticePermission> {
  if (!('Notification' in window)) return 'absent'
  return new Promise<NoticePermission>((resolve, reject) => {
    const asked: Promise<NotificationPermission> | undefined = Notification.requestPermission(resolve)
    void asked?.then(resolve, reject)
  }).catch(noticePermission)
}

/** Shows a notification. Uses the service worker if possible, because phone browsers allow no other way. Never rejects. */
export async function showDesktopNotice({ title, body, tag, path, silent = false }: DesktopNotice): Promise<void> {
  if (noticePermission() !== 'granted') return
  const options = { body, tag, silent, icon: '/icons/icon-192.png', data: { path } }
  if (await shownByWorker(title, options).catch(() => false)) return
  try {
    const shown = new Notification(title, options)
    shown.addEventListener('click', () => {
      window.focus()
      followNotice(path)
      shown.close()
    })
  } catch {}
}

async function shownByWorker(title: string, options: NotificationOptions): Promise<boolean> {
  const worker = 'serviceWorker' in navigator ? await navigator.serviceWorker.getRegistration() : undefined
  if (!worker?.active) return false
  await worker.showNotification(title, options)
  return true
}

/** Registers a handler for clicks on notifications. The handler returns true if it has opened the path itself. */
export function onPressedNotice(opens: (path: string) => boolean): () => void {
  tab.noticePlaces.add(opens)
  return () => tab.noticePlaces.delete(opens)
}

/** Opens the path of a clicked notification. Runs in the tab that the service worker brings to the front. */
export function followNotice(path: string): void {
  if (![...tab.noticePlaces].some((opens) => opens(path))) navigate(path)
}
