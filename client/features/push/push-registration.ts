import { type QueryClient, useMutation, useQuery, useQueryClient, skipToken } from '@tanstack/react-query'
import { call } from '#client/lib/http/api.ts'
import { dealerIn, useCurrentDealer } from '#client/lib/session/current-dealer.ts'
import { askForNotices, noticeObstacles, noticePermission } from '#client/lib/screen/desktop-notices.ts'
import { runLater } from '#client/lib/live/delayed-calls.ts'
import { endSubscription, pushDevice, storedPush } from '#client/lib/push-device.ts'
import { authStatusKey } from '#client/lib/query/query-keys.ts'
import { isRefusal } from '#client/lib/http/retries.ts'
import { browserName } from '#client/ui/browser-name.ts'
import { pushLabelMax } from '#shared/limits.ts'
import { cutText } from '#shared/cut-text.ts'
import type { AuthStatus } from '#shared/schemas/auth.ts'
import type { PushDevice, PushState } from '#shared/schemas/push.ts'
import { pushQuery, removeDevice } from './push.api.ts'

export const cannotReceive = 'This browser cannot receive push while Lanewire is closed.'

/** Thrown if the browser has a push API but does not allow a subscription, as in a private window. */
class SubscriptionRefused extends Error {
  override readonly name = 'SubscriptionRefused'
  constructor(cause?: unknown) {
    super(cannotReceive, { cause })
  }
}

/** Returns undefined if there is no service worker, for example in development. */
async function findWorker(): Promise<ServiceWorkerRegistration | undefined> {
  const registration = await navigator.serviceWorker.getRegistration()
  // A worker that is still installing cannot subscribe, so wait until it is ready.
  return registration === undefined || registration.active ? registration : navigator.serviceWorker.ready
}

/** True if a service worker can receive push messages. Subscribing may still fail. */
export const hasWorker = async (): Promise<boolean> => (await findWorker().catch(() => undefined)) !== undefined

const base64Url = (bytes: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

/** True if the subscription was made with the network's current key, which the operator may have changed. */
function usesKey({ options }: PushSubscription, publicKey: string): boolean {
  const key = options.applicationServerKey
  return key === null || base64Url(key) === publicKey.replaceAll('=', '')
}

/**
 * Returns the browser's push subscription, or creates one.
 * @param renew replaces an existing subscription, because Safari reports dead subscriptions as alive
 * @throws SubscriptionRefused if there is no service worker or the browser rejects the subscription
 */
async function subscribe(publicKey: string, renew: boolean): Promise<PushSubscription> {
  try {
    const worker = await findWorker()
    if (worker === undefined) throw new TypeError('no service worker')
    const held = await worker.pushManager.getSubscription()
    if (held && !renew && usesKey(held, publicKey)) return held
    await held?.unsubscribe()
    return await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey })
  } catch (error) {
    throw new SubscriptionRefused(error)
  }
}

const isCurrent = (device: PushDevice): boolean => device.isCurrent

interface Registering {
  cache: QueryClient
  dealerId: string
  session: string
  state: PushState
  renew: boolean
}

/** Registers this browser for the dealer. Returns undefined if another dealer has signed in meanwhile. */
async function register({ cache, dealerId, session, state, renew }: Registering): Promise<PushDevice | undefined> {
  const subscription = await subscribe(state.publicKey, renew)
  const { endpoint, keys } = subscription.toJSON() as Pick<PushSubscriptionJSON, 'endpoint' | 'keys'>
  if (endpoint === undefined || !keys?.['p256dh'] || !keys['auth']) throw new SubscriptionRefused()
  if (dealerIn(cache) !== dealerId) return undefined
  const { endpoint: before, hidesContent } = storedPush.read(dealerId) ?? {}
  const device = await call('/api/push/devices', {
    method: 'PUT',
    body: {
      endpoint,
      keys: { p256dh: keys['p256dh'], auth: keys['auth'] },
      label: cutText(browserName(navigator.userAgent), pushLabelMax),
      ...(before !== undefined && before !== endpoint && { replaces: before }),
      ...(hidesContent !== undefined && { hideContent: hidesContent }),
    },
  })
  storedPush.write({ session, endpoint, hidesContent: device.hideContent }, dealerId)
  if (dealerIn(cache) !== dealerId) return undefined
  pushDevice.set((held) => void (held.isMissing = false))
  const others = state.devices.filter(({ id }) => id !== device.id)
  cache.setQueryData(pushQuery().queryKey, { ...state, devices: [...others, device] })
  return device
}

const retryMs = 60_000

/**
 * Renews the registration if the dealer has turned push on in this browser, because sessions end, keys change, and Safari keeps dead
 * subscriptions. Retries until the server accepts or rejects the registration.
 */
export async function registerAgain(cache: QueryClient, dealerId: string, session: string): Promise<void> {
  const kept = storedPush.read(dealerId)
  if (kept === undefined) return
  const setMissing = () => pushDevice.set((held) => void (held.isMissing = true))
  if (noticePermission() !== 'granted') return setMissing()
  try {
    const state = await cache.fetchQuery({ ...pushQuery(), staleTime: 0 })
    // The server removed the device because its push subscription no longer works. Only a new subscription can work.
    const isDropped = kept.session === session && !state.devices.some(isCurrent)
    await register({ cache, dealerId, session, state, renew: isDropped })
  } catch (error) {
    if (dealerIn(cache) !== dealerId) return
    if (isRefusal(error) || error instanceof SubscriptionRefused) setMissing()
    else runLater('push.register', retryMs, () => void registerAgain(cache, dealerId, session))
  }
}

export const useSession = (): string | undefined =>
  useQuery<AuthStatus>({ queryKey: authStatusKey, queryFn: skipToken }).data?.session ?? undefined

/** Turns push on in this browser. Call this from a click handler, because browsers ask for permission only in response to a click. */
export function useTurnOn() {
  const cache = useQueryClient()
  const { id: dealerId } = useCurrentDealer()
  const session = useSession() ?? ''
  return useMutation({
    mutationFn: async () => {
      const permission = await askForNotices()
      if (permission !== 'granted') throw new Error(noticeObstacles[permission])
      const state = await call('/api/push')
      return register({ cache, dealerId, session, state, renew: !state.devices.some(isCurrent) })
    },
    onSettled: () => cache.invalidateQueries({ queryKey: pushQuery().queryKey }),
  })
}

export function useTurnOff() {
  const cache = useQueryClient()
  const { id: dealerId } = useCurrentDealer()
  return useMutation({
    mutationFn: async (deviceId: string) => {
      await removeDevice(deviceId)
      storedPush.write(undefined, dealerId)
      await endSubscription()
    },
    onSettled: () => cache.invalidateQueries({ queryKey: pushQuery().queryKey }),
    meta: { refused: 'Push stays on' },
  })
}
