import { useEffect, useState, useSyncExternalStore } from 'react'
import { useConnection } from '#client/lib/connection.ts'
import { toast, type ToastInput } from '#client/ui/toast-store.ts'
import { photoMaxBytes } from '#shared/limits.ts'
import { type KeptPhoto, type OutgoingPhoto, PhotoQueue, type QueuedPhoto } from './photo-queue.ts'

export interface Photos {
  list: readonly QueuedPhoto[]
  limit: number
  queue: PhotoQueue
  /** Checks the files by the documented rules, says what is wrong, and sends the rest up. */
  add: (files: readonly File[], vehicle?: string) => void
}

/** The photos of one post that is being written. */
export function usePhotoQueue(start: readonly (KeptPhoto | OutgoingPhoto)[], limit: number): Photos {
  const [queue] = useState(() => new PhotoQueue(start, toastFailed))
  const connection = useConnection()
  useEffect(() => {
    const resume = () => queue.resume()
    if (connection === 'live') resume()
    window.addEventListener('online', resume)
    return () => window.removeEventListener('online', resume)
  }, [queue, connection])
  const list = useSyncExternalStore(queue.subscribe, queue.snapshot)
  const add = (files: readonly File[], vehicle?: string) => {
    const { accepted, complaint } = sortFiles(files, { have: list.length, limit })
    if (complaint) toast(complaint)
    queue.add(accepted, vehicle)
  }
  return { list, limit, queue, add }
}

/** Per file; the other photos continue. */
export const photoFailed = (name: string): ToastInput => ({
  title: 'Photo upload failed',
  description: `Failed to upload ${name}`,
  variant: 'destructive',
})

const toastFailed = (name: string) => toast(photoFailed(name))

/** Which of the chosen files go up, and what to say about the others; the last word wins the toast. */
function sortFiles(
  files: readonly File[],
  { have, limit }: { have: number; limit: number },
): { accepted: File[]; complaint: ToastInput | undefined } {
  const images = files.filter((file) => file.type.startsWith('image/'))
  const small = images.filter((file) => file.size <= photoMaxBytes)
  const room = Math.max(0, limit - have)
  const accepted = small.slice(0, room)
  return { accepted, complaint: complaintAbout({ files, images, small, room, limit }) }
}

function complaintAbout(found: {
  files: readonly File[]
  images: readonly File[]
  small: readonly File[]
  room: number
  limit: number
}): ToastInput | undefined {
  const { files, images, small, room, limit } = found
  if (images.length < files.length)
    return { title: 'Invalid files', description: 'Please select only image files', variant: 'destructive' }
  const large = images.find((file) => file.size > photoMaxBytes)
  if (large)
    return {
      title: 'Photo too large',
      description: `${large.name} is larger than 10MB`,
      variant: 'destructive',
    }
  if (small.length > room)
    return {
      title: 'Too many photos',
      description: `Maximum ${limit} photos allowed. You can add ${room} more.`,
      variant: 'destructive',
    }
  return undefined
}
