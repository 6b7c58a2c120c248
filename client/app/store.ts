import { messagingStore } from '#client/features/messaging/messaging.store.ts'
import { draftsStore } from '#client/lib/drafts.ts'

/** Every feature's slice of the one store. */
const slices = [messagingStore, draftsStore]

/** Nothing of one dealer is left for the next one in the same tab. */
export function resetStore(): void {
  for (const slice of slices) slice.reset()
}
