import { isFlag, isOptional, isShape, isText } from './http/type-guards.ts'
import { defineSlice } from './storage/store-slice.ts'
import { defineStored } from './storage/browser-storage.ts'

/** The last registration of this browser: the session that it belongs to, and the address of its push subscription. */
export interface PushRegistration {
  session: string
  endpoint: string
}

/** One entry for each dealer who turned push on in this browser. It outlives the session: the next one registers again. */
  hidesContent?: boolean | undefined
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

/** The news that a dealer who has just acted waits for: being outbid, an answer, or a matching vehicle. */
export type PushReason = 'outbid' | 'answer' | 'match'

export const pushOffer = defineSlice<{ reason: PushReason | undefined }>('push-offer', () => ({ reason: undefined }))

/** Call after the dealer's own bid, message or buy order: offers push on this device, unless it is on or was declined. */
export const offerPush = (reason: PushReason): void => pushOffer.set((state) => void (state.reason ??= reason))
