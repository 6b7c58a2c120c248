import { useState, useSyncExternalStore } from 'react'
import { toast } from '#client/ui/toast-store.ts'
import { type KeptPhoto, PhotoQueue, type QueuedPhoto } from './photo-queue.ts'
import { sortFiles } from './photo-rules.ts'

export interface Photos {
  list: readonly QueuedPhoto[]
  limit: number
  queue: PhotoQueue
  /** Checks the files by the documented rules, says what is wrong, and sends the rest up. */
  add: (files: readonly File[], vehicle?: string) => void
}

/** The photos of one post that is being written. */
export function usePhotoQueue(kept: readonly KeptPhoto[], limit: number): Photos {
  const [queue] = useState(() => new PhotoQueue(kept, toastFailed))
  const list = useSyncExternalStore(queue.subscribe, queue.snapshot)
  const add = (files: readonly File[], vehicle?: string) => {
    const { accepted, complaint } = sortFiles(files, { have: list.length, limit })
    if (complaint) toast(complaint)
    queue.add(accepted, vehicle)
  }
  return { list, limit, queue, add }
}

/** Per file; the other photos continue. */
function toastFailed(name: string): void {
  toast({ title: 'Photo upload failed', description: `Failed to upload ${name}`, variant: 'destructive' })
}
