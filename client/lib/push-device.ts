import { isFlag, isOptional, isShape, isText } from './http/type-guards.ts'
import { defineSlice } from './storage/store-slice.ts'
import { defineStored } from './storage/browser-storage.ts'

/**
 * The last registration of this browser: the session that it belongs to, the address of its push subscription, and whether notifications
 * hide their content. The server forgets the device, and with it this choice, when the session ends.
 */
export interface PushRegistration {
  session: string
  endpoint: string
  hidesContent?: boolean | undefined
}

/** One entry for each dealer who turned on push in this browser. Outlives the session, so that the next one registers again. */
export const storedPush = defineStored<PushRegistration>({
  key: 'lanewire.push',
  version: 1,
  isValue: isShape<PushRegistration>({ session: isText, endpoint: isText, hidesContent: isOptional(isFlag) }),
})

/** `isMissing`: the server does not have this browser's device, although the dealer turned push on. */
export const pushDevice = defineSlice('push-device', () => ({ isMissing: false }))

/** True if the dealer's pushes arrive in this browser. Tabs then show no notices of their own. */
export const hasPushDevice = (dealerId: string): boolean =>
  storedPush.read(dealerId) !== undefined && !pushDevice.get().isMissing

async function findWorker(): Promise<ServiceWorkerRegistration | undefined> {
  if (!('serviceWorker' in navigator)) return undefined
  return navigator.serviceWorker.getRegistration().catch(() => undefined)
}

/** Closes the notifications on screen, which may name dealers and prices. Never rejects. */
export async function closeNotices(): Promise<void> {
  const worker = await findWorker()
  const shown = (await worker?.getNotifications?.().catch(() => [])) ?? []
  for (const notice of shown) notice.close()
}

/** Ends the browser's push subscription, if it has one. Never rejects. */
export async function endSubscription(): Promise<void> {
  const subscription = await (await findWorker())?.pushManager?.getSubscription().catch(() => null)
  await subscription?.unsubscribe().catch(() => false)
}

/**
 * Call on sign-out: closes the notifications and ends the browser's subscription, so that no push arrives, even if the server does not know
 * of the sign-out yet. The dealer's next session here subscribes again. Never rejects.
 */
export async function leavePush(): Promise<void> {
  await Promise.all([closeNotices(), endSubscription()])
}

/** The news that a dealer who has just acted waits for: being outbid, an answer, or a matching vehicle. */
export type PushReason = 'outbid' | 'answer' | 'match'

export const pushOffer = defineSlice<{ reason: PushReason | undefined }>('push-offer', () => ({ reason: undefined }))

/** Call after the dealer's own bid, message or buy order. Offers push on this device, unless it is on or was declined. */
export const offerPush = (reason: PushReason): void => pushOffer.set((state) => void (state.reason ??= reason))
