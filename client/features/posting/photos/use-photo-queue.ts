import { useEffect, useState, useSyncExternalStore } from 'react'
import { useConnection } from '#client/lib/live/connection.ts'
import { defineSlice } from '#client/lib/storage/store-slice.ts'
import { emptyFile, hasUnknownType } from '#client/lib/files/upload-file.ts'
import { toast, type ToastInput } from '#client/ui/toast-store.ts'
import { photoMaxBytes } from '#shared/limits.ts'
import {
  keptPhotos,
  type KeptPhoto,
  type OutgoingPhoto,
  PhotoQueue,
  type QueuedPhoto,
  countsTowardLimit,
} from './photo-queue.ts'

const tooLarge = 'Larger than 10MB'

export interface Photos {
  list: readonly QueuedPhoto[]
  count: number
  limit: number
  queue: PhotoQueue
  /** Validates the files, reports invalid files, and uploads the rest. */
  add: (files: readonly File[], vehicle?: string) => void
}

interface PhotoOptions {
  start: readonly (KeptPhoto | OutgoingPhoto)[]
  limit: number
  /** Name of the draft. The uploads of a named draft continue after its form closes, and appear again when the form reopens. */
  draftName?: string | undefined
  /** Called with the photos that are on the server, even after the form has closed. */
  keep: (photos: readonly KeptPhoto[]) => void
}

export const photoQueues = defineSlice<{ byName: Record<string, PhotoQueue> }>('photo-queues', () => ({ byName: {} }))

function queueOf({ start, draftName, keep }: PhotoOptions): PhotoQueue {
  const held = draftName === undefined ? undefined : photoQueues.get().byName[draftName]
  if (held?.snapshot().some(({ url }) => url === undefined)) return held
  const queue = new PhotoQueue(start, toastFailed)
  if (draftName === undefined) return queue
  let known = JSON.stringify(keptPhotos(queue.snapshot()))
  queue.subscribe(() => {
    const photos = keptPhotos(queue.snapshot())
    const now = JSON.stringify(photos)
    if (now === known) return
    known = now
    keep(photos)
  })
  photoQueues.set(({ byName }) => void (byName[draftName] = queue))
  return queue
}

export function usePhotoQueue(options: PhotoOptions): Photos {
  const { limit } = options
  const [queue] = useState(() => queueOf(options))
  const connection = useConnection()
  useEffect(() => {
    const resume = () => queue.resume()
    if (connection === 'live') resume()
    window.addEventListener('online', resume)
    return () => window.removeEventListener('online', resume)
  }, [queue, connection])
  const list = useSyncExternalStore(queue.subscribe, queue.snapshot)
  const count = list.filter(countsTowardLimit).length
  const add = (files: readonly File[], vehicle?: string) => {
    const { accepted, refused, complaint } = sortFiles(files, { have: count, limit })
    if (complaint) toast(complaint)
    queue.add(accepted, vehicle)
    queue.addRefused(refused, vehicle)
  }
  return { list, count, limit, queue, add }
}

export const photoFailed = (name: string): ToastInput => ({
  title: 'Photo upload failed',
  description: `Failed to upload ${name}`,
  variant: 'destructive',
})

const toastFailed = (name: string) => toast(photoFailed(name))

interface RefusedFile {
  file: File
  reason: string
}

function reasonAgainst({ size }: File): string | undefined {
  if (size > photoMaxBytes) return tooLarge
  return size === 0 ? emptyFile : undefined
}

function sortFiles(
  files: readonly File[],
  { have, limit }: { have: number; limit: number },
): { accepted: File[]; refused: RefusedFile[]; complaint: ToastInput | undefined } {
  const images = files.filter((file) => file.type.startsWith('image/') || hasUnknownType(file))
  const fit: File[] = []
  const refused: RefusedFile[] = []
  for (const file of images) {
    const reason = reasonAgainst(file)
    if (reason === undefined) fit.push(file)
    else refused.push({ file, reason })
  }
  const room = Math.max(0, limit - have)
  const others = images.length < files.length
  return { accepted: fit.slice(0, room), refused, complaint: complaintAbout({ others, refused, fit, room, limit }) }
}

/** Combines all problems into one toast, because a new toast replaces the previous one. */
function complaintAbout(found: {
  others: boolean
  refused: readonly RefusedFile[]
  fit: readonly File[]
  room: number
  limit: number
}): ToastInput | undefined {
  const { others, refused, fit, room, limit } = found
  const namesOf = (reason: string) => refused.filter((one) => one.reason === reason).map(({ file }) => file.name)
  const [large, empty] = [namesOf(tooLarge), namesOf(emptyFile)]
  const is = (names: readonly string[]) => `${names.join(', ')} ${names.length > 1 ? 'are' : 'is'}`
  const complaints = [
    others ? { title: 'Invalid files', description: 'Please select only image files' } : undefined,
    large.length > 0 ? { title: 'Photo too large', description: `${is(large)} larger than 10MB` } : undefined,
    empty.length > 0 ? { title: 'Photo upload failed', description: `${is(empty)} empty` } : undefined,
    fit.length > room
      ? { title: 'Too many photos', description: `Maximum ${limit} photos allowed. You can add ${room} more.` }
      : undefined,
  ].filter((complaint) => complaint !== undefined)
  const [first, ...more] = complaints
  if (first === undefined) return undefined
  if (more.length === 0) return { ...first, variant: 'destructive' }
  const description = complaints.map((complaint) => complaint.description.replace(/\.$/, '')).join('. ')
  return { title: 'Some files were not added', description, variant: 'destructive' }
}
