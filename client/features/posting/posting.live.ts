import type { LiveHandlers } from '#client/lib/live.ts'
import type { ObjectEvents } from '#shared/events/objects.ts'
import type { ObjectStatus } from '#shared/schemas/objects.ts'

export type UploadNews = Pick<ObjectStatus, 'state' | 'error'>

/** Who waits for which upload. Part of every page, so nothing of posting itself is imported here. */
const listeners = new Map<string, (news: UploadNews) => void>()

/** Hears of one upload of one's own until it is told to stop. */
export function listenToUpload(objectId: string, listener: (news: UploadNews) => void): () => void {
  listeners.set(objectId, listener)
  return () => {
    if (listeners.get(objectId) === listener) listeners.delete(objectId)
  }
}

export const postingLive: LiveHandlers<ObjectEvents> = {
  'object.changed': (_cache, { objectId, state, error }) => listeners.get(objectId)?.({ state, error }),
}
