import type { BrowserContext, Page, Worker } from 'playwright-core'
import type { TestBrowser } from './push-service.ts'

/**
 * Lets pages subscribe to a test's push service. Headless Chromium rejects the real call and always reports that notifications are blocked.
 * Also reports the page as unfocused, so that the dealer does not count as active, which would delay pushes.
 */
export async function subscribeTo(context: BrowserContext, { endpoint, keys }: TestBrowser): Promise<void> {
  await context.grantPermissions(['notifications'])
  await context.addInitScript(
    ([address, secrets]) => {
      document.hasFocus = () => false
      Object.defineProperty(Notification, 'permission', { get: () => 'granted' })
      const subscription = {
        endpoint: address,
        options: { applicationServerKey: null },
        toJSON: () => ({ endpoint: address, keys: secrets }),
        unsubscribe: () => Promise.resolve(true),
      }
      Object.assign(PushManager.prototype, { subscribe: () => Promise.resolve(subscription) })
    },
    [endpoint, keys] as const,
  )
}

interface ShownNotification {
  title: string
  tag: string
  path: string
}

interface WorkerScope {
  shown: ShownNotification[]
  registration: { showNotification: (title: string, options: { tag: string; data: { path: string } }) => Promise<void> }
  navigator: { setAppBadge: (count: number) => Promise<void> }
  clients: { openWindow: (path: string) => Promise<void> }
  dispatchEvent: (event: Event) => boolean
}

/**
 * Waits for the service worker of the page's site and records the notifications that it shows. Chromium's headless shell shows none, and it
 * stops a worker that sets a badge.
 */
export async function workerOf(page: Page): Promise<Worker> {
  const context = page.context()
  const started = context.serviceWorkers()[0] ?? context.waitForEvent('serviceworker')
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  const worker = await started
  await worker.evaluate(() => {
    const scope = globalThis as unknown as WorkerScope
    scope.shown = []
    scope.navigator.setAppBadge = async () => undefined
    scope.registration.showNotification = async (title, { tag, data }) =>
      void scope.shown.push({ title, tag, path: data.path })
  })
  return worker
}

/**
 * Passes a decrypted message to the site's service worker, as the browser does when a push arrives.
 * @param page any page of the browser, including one of another site
 */
export async function deliverPush(page: Page, origin: string, data: string): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const known = new Promise<string>((resolve) =>
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: [registration] }) => {
      if (registration) resolve(registration.registrationId)
    }),
  )
  await session.send('ServiceWorker.enable')
  await session.send('ServiceWorker.deliverPushMessage', { origin, registrationId: await known, data })
  await session.detach()
}

/** Returns the notifications that the service worker has shown. */
export const notificationsOf = (worker: Worker): Promise<ShownNotification[]> =>
  worker.evaluate(() => (globalThis as unknown as WorkerScope).shown)

/** Clicks a notification. Returns the path that the worker opens, because a synthetic click is not allowed to open a window. */
export const pressNotification = (worker: Worker, path: string): Promise<string> =>
  worker.evaluate(async (about) => {
    const scope = globalThis as unknown as WorkerScope
    const opened = new Promise<string>((resolve) => {
      scope.clients.openWindow = async (to) => resolve(to)
    })
    const notification = { data: { path: about }, close: () => undefined }
    scope.dispatchEvent(Object.assign(new Event('notificationclick'), { notification, waitUntil: () => undefined }))
    return opened
  }, path)
