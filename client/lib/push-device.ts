import { isFlag, isOptional, isShape, isText } from './http/type-guards.ts'
import { defineSlice } from './storage/store-slice.ts'
import { defineStored } from './storage/browser-storage.ts'

/** This browser's last registration for push messages. `endpoint` identifies its subscription at the push service. */
export interface PushRegistration {
  session: string
  endpoint: string
  hidesContent?: boolean | undefined
}

/** One entry per dealer who turned on push in this browser. Kept after sign-out, so that the dealer's next session registers again. */
export const storedPush = defineStored<PushRegistration>({
  key: 'lanewire.push',
  version: 1,
  isValue: isShape<PushRegistration>({ session: isText, endpoint: isText, hidesContent: isOptional(isFlag) }),
})

/** `isMissing` is true if the server does not know this browser's device, although the dealer has turned on push. */
export const pushDevice = defineSlice('push-device', () => ({ isMissing: false }))

/** True if this browser receives the dealer's push messages. Its tabs then show no notifications of their own. */
export const hasPushDevice = (dealerId: string): boolean =>
  storedPush.read(dealerId) !== undefined && !pushDevice.get().isMissing

async function findWorker(): Promise<ServiceWorkerRegistration | undefined> {
  if (!('serviceWorker' in navigator)) return undefined
  return navigator.serviceWorker.getRegistration().catch(() => undefined)
}

/** Closes all visible notifications, because they may contain names and prices. Never rejects. */
export async function closeNotices(): Promise<void> {
  const worker = await findWorker()
  const shown = (await worker?.getNotifications?.().catch(() => [])) ?? []
  for (const notice of shown) notice.close()
}

/** Ends this browser's push subscription. Never rejects. */
export async function endSubscription(): Promise<void> {
  const subscription = await (await findWorker())?.pushManager?.getSubscription().catch(() => null)
  await subscription?.unsubscribe().catch(() => false)
}

/** Call this on sign-out, so that no push message arrives even before the server learns of the sign-out. Never rejects. */
export async function leavePush(): Promise<void> {
  await Promise.all([closeNotices(), endSubscription()])
}

/** Why push is offered: after a bid (`outbid`), a message (`answer`) or a buy order (`match`), the dealer probably waits for news. */
export type PushReason = 'outbid' | 'answer' | 'match'

export const pushOffer = defineSlice<{ reason: PushReason | undefined }>('push-offer', () => ({ reason: undefined }))

/** Offers to turn on push, unless it is on or was declined. Call this after the dealer's own bid, message or buy order. */
export const offerPush = (reason: PushReason): void => pushOffer.set((state) => void (state.reason ??= reason))
