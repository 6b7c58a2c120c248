import type { BrowserContext, Page, Worker } from 'playwright-core'
import type { TestBrowser } from './push-service.ts'

/** Fakes a push subscription, because headless Chromium rejects it. Removes the focus, because pushes to an active dealer are delayed. */
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

/** Returns the service worker and records its notifications. Headless Chromium shows none, and stops a worker that sets a badge. */
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

/** Passes a decrypted push message to the service worker of `origin`. `page` can be any page of the browser. */
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

export const notificationsOf = (worker: Worker): Promise<ShownNotification[]> =>
  worker.evaluate(() => (globalThis as unknown as WorkerScope).shown)

/** Clicks a notification. Returns the path that the worker wants to open, because a synthetic click may not open a window. */
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
