import './dom.ts'
import type { Test } from 'tap'

interface Subscription {
  endpoint: string
  key: string
}

interface PushBrowserOptions {
  permission?: NotificationPermission
  /** The user's answer to the browser's permission prompt. */
  answers?: NotificationPermission
  subscription?: Subscription
  /** True to refuse subscriptions, as in a private window. */
  refuses?: boolean
  /** False in development, and where service workers are blocked. */
  hasWorker?: boolean
}

const bytesOf = (text: string) => Uint8Array.from(Buffer.from(text, 'base64url')).buffer

/** Keys of the right size: an uncompressed P-256 point has 65 bytes, and the secret has 16. */
const keys = { p256dh: Buffer.alloc(65, 4).toString('base64url'), auth: Buffer.alloc(16, 7).toString('base64url') }

/** Adds the push API to jsdom. `log` records prompts and subscriptions in order. `shown` records the tags of notifications. */
export function aPushBrowser(t: Test, options: PushBrowserOptions = {}) {
  const { permission = 'granted', answers = 'granted', refuses = false, hasWorker = true } = options
  const log: string[] = []
  let held = options.subscription
  let made = 0
  const asObject = ({ endpoint, key }: Subscription) => ({
    endpoint,
    options: { applicationServerKey: bytesOf(key) },
    toJSON: () => ({ endpoint, keys }),
    unsubscribe: async () => {
      log.push(`ends ${endpoint}`)
      held = undefined
      return true
    },
  })
  const pushManager = {
    getSubscription: async () => (held ? asObject(held) : null),
    subscribe: async ({ applicationServerKey }: { applicationServerKey: string }) => {
      if (refuses) throw new Error('Registration failed - permission denied')
      made += 1
      held = { endpoint: `https://push.test/new-${made}`, key: applicationServerKey }
      log.push(`subscribes for ${applicationServerKey}`)
      return asObject(held)
    },
  }
  const Notices = {
    permission,
    requestPermission: async () => {
      log.push('asks')
      Notices.permission = answers
      return answers
    },
  }
  const shown = new Set<string>()
  const asNotice = (tag: string) => ({ close: () => void shown.delete(tag) })
  const registration = { active: {}, pushManager, getNotifications: async () => [...shown].map(asNotice) }
  const serviceWorker = { getRegistration: async () => (hasWorker ? registration : undefined) }
  const parts = [
    [window, 'PushManager', pushManager],
    [window, 'Notification', Notices],
    [globalThis, 'Notification', Notices],
    [navigator, 'serviceWorker', serviceWorker],
  ] as const
  for (const [owner, name, value] of parts) Object.defineProperty(owner, name, { configurable: true, value })
  t.teardown(() => {
    for (const [owner, name] of parts) Reflect.deleteProperty(owner, name)
  })
  return { log, shown, endpoint: () => held?.endpoint }
}
