import type { LiveHandlers } from '../live/live-queries.ts'
import type { ObjectEvents } from '#shared/events/uploads.ts'
import { tab, type UploadStatus } from '../storage/tab-state.ts'

export type { UploadStatus } from '../storage/tab-state.ts'

export function listenToUpload(objectId: string, listener: (news: UploadStatus) => void): () => void {
  const waiting = tab.uploads.get(objectId) ?? new Set()
  tab.uploads.set(objectId, waiting.add(listener))
  return () => {
    waiting.delete(listener)
    if (waiting.size === 0 && tab.uploads.get(objectId) === waiting) tab.uploads.delete(objectId)
  }
}

export const uploadLive: LiveHandlers<ObjectEvents> = {
  'object.changed': (_cache, { objectId, state, error }) => {
    for (const listener of tab.uploads.get(objectId) ?? []) listener({ state, error })
  },
}
