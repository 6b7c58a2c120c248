import { navigate } from 'wouter/use-browser-location'
import { tab } from './tab.ts'

export interface DesktopNotice {
  title: string
  body: string
  /** One with the same tag takes its place, whichever tab showed it. */
  tag: string
  /** Where a press on it leads. */
  path: string
  silent?: boolean
}

/** `absent`: this browser has none, or has none outside of an installed app. */
export type NoticePermission = NotificationPermission | 'absent'

export const noticePermission = (): NoticePermission => ('Notification' in window ? Notification.permission : 'absent')

/** Why none are shown, and what to do about it. */
export const noticeObstacles: Record<Exclude<NoticePermission, 'granted'>, string> = {
  absent: 'This browser cannot show notifications. On an iPhone or iPad, choose Add to Home Screen first.',
  denied: 'This browser is blocking Lanewire notifications. Allow them in its site settings.',
  default: 'Notifications are not set up in this browser.',
}

/** On a press only: a browser that is asked without one says no. Never fails; answers what holds now. */
export async function askForNotices(): Promise<NoticePermission> {
  if (!('Notification' in window)) return 'absent'
  return new Promise<NoticePermission>((resolve, reject) => {
    // Older Safari has no promise and calls back.
    const asked: Promise<NotificationPermission> | undefined = Notification.requestPermission(resolve)
    void asked?.then(resolve, reject)
  }).catch(noticePermission)
}

/**
 * Where it is allowed. Through the service worker, whose notices outlive the page and are the only ones that browsers of
 * phones show: their `new Notification` throws. Never fails: what is told here also stands in the page.
 */
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
  } catch {
    // A phone without the worker, as in a private window.
  }
}

async function shownByWorker(title: string, options: NotificationOptions): Promise<boolean> {
  const worker = 'serviceWorker' in navigator ? await navigator.serviceWorker.getRegistration() : undefined
  if (!worker?.active) return false
  await worker.showNotification(title, options)
  return true
}

/** For paths that have a better place than their page, as a chat's window: true when it was opened. Answers how to stop. */
export function onPressedNotice(opens: (path: string) => boolean): () => void {
  tab.noticePlaces.add(opens)
  return () => tab.noticePlaces.delete(opens)
}

/** Goes where a pressed notice leads; the worker says it to the tab that it brings to the front. */
export function followNotice(path: string): void {
  if (![...tab.noticePlaces].some((opens) => opens(path))) navigate(path)
}
