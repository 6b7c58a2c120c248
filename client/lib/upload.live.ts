import type { LiveHandlers } from './live.ts'
import type { ObjectEvents } from '#shared/events/objects.ts'
import type { ObjectStatus } from '#shared/schemas/objects.ts'

export type UploadNews = Pick<ObjectStatus, 'state' | 'error'>

/** Who waits for which upload: the forms that send it, and the places on screen where it will be shown. */
const listeners = new Map<string, Set<(news: UploadNews) => void>>()

/** Hears of one upload until it is told to stop. */
export function listenToUpload(objectId: string, listener: (news: UploadNews) => void): () => void {
  const waiting = listeners.get(objectId) ?? new Set()
  listeners.set(objectId, waiting.add(listener))
  return () => {
    waiting.delete(listener)
    if (waiting.size === 0 && listeners.get(objectId) === waiting) listeners.delete(objectId)
  }
}

export const uploadLive: LiveHandlers<ObjectEvents> = {
  'object.changed': (_cache, { objectId, state, error }) => {
    // One that hears it stops listening.
    for (const listener of listeners.get(objectId) ?? []) listener({ state, error })
  },
}
