import { reasonOf } from '#client/lib/api.ts'
import { scaleDown } from './photo-scale.ts'
import { uploadFile } from '#client/lib/upload.ts'

export type PhotoState = 'waiting' | 'uploading' | 'done' | 'failed'

export interface QueuedPhoto {
  id: string
  name: string
  state: PhotoState
  /** 0 to 1. */
  progress: number
  /** What a picture element shows: the chosen file at once, the uploaded one after a reload. */
  preview: string
  /** Set once uploaded. */
  url: string | undefined
  /** Why it failed. */
  reason: string | undefined
  /** The vehicle it belongs to, where it is not the post's own. */
  vehicle: string | undefined
}

/** What outlives a reload: photos that are on the server. */
export type KeptPhoto = Pick<QueuedPhoto, 'name' | 'vehicle'> & { url: string }

const parallel = 4
const previewWidth = 320

/** Photos on their way up, in the order of the post; the first is the cover. Four go at a time. */
export class PhotoQueue {
  #photos: readonly QueuedPhoto[]
  readonly #files = new Map<string, File>()
  readonly #running = new Map<string, AbortController>()
  readonly #listeners = new Set<() => void>()
  readonly #onFailure: (name: string) => void

  constructor(kept: readonly KeptPhoto[], onFailure: (name: string) => void) {
    this.#photos = kept.map(restored)
    this.#onFailure = onFailure
  }

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  readonly snapshot = () => this.#photos

  add(files: readonly File[], vehicle?: string): void {
    const added = files.map((file): QueuedPhoto => {
      const id = crypto.randomUUID()
      this.#files.set(id, file)
      const preview = URL.createObjectURL(file)
      return { id, name: file.name, state: 'waiting', progress: 0, preview, url: undefined, reason: undefined, vehicle }
    })
    this.#set([...this.#photos, ...added])
    this.#start()
  }

  retry(id: string): void {
    this.#change(id, { state: 'waiting', progress: 0, reason: undefined })
    this.#start()
  }

  remove(id: string): void {
    this.#running.get(id)?.abort()
    this.#forget(id)
    this.#set(this.#photos.filter((photo) => photo.id !== id))
    this.#start()
  }

  removeVehicle(vehicle: string): void {
    for (const photo of this.#photos) if (photo.vehicle === vehicle) this.remove(photo.id)
  }

  /** Puts a photo before another place. */
  move(id: string, to: number): void {
    const photo = this.#photos.find((candidate) => candidate.id === id)
    if (!photo) return
    const others = this.#photos.filter((candidate) => candidate.id !== id)
    this.#set([...others.slice(0, to), photo, ...others.slice(to)])
  }

  clear(): void {
    for (const { id } of this.#photos) this.remove(id)
  }

  /** Resolves when nothing is on its way any more. */
  settled(): Promise<void> {
    return new Promise((resolve) => {
      const check = () => {
        if (this.#photos.some(isUnderWay)) return
        stop()
        resolve()
      }
      const stop = this.subscribe(check)
      check()
    })
  }

  #start(): void {
    for (const photo of this.#photos) {
      if (this.#running.size >= parallel) return
      if (photo.state === 'waiting') void this.#upload(photo.id)
    }
  }

  async #upload(id: string): Promise<void> {
    const file = this.#files.get(id)
    if (!file) return
    const controller = new AbortController()
    this.#running.set(id, controller)
    this.#change(id, { state: 'uploading' })
    try {
      const onProgress = (progress: number) => this.#change(id, { progress })
      const url = await uploadFile(await scaleDown(file), { kind: 'photo', onProgress, signal: controller.signal })
      this.#change(id, { state: 'done', progress: 1, url })
      this.#files.delete(id)
    } catch (error) {
      if (!controller.signal.aborted) {
        this.#change(id, { state: 'failed', reason: reasonOf(error) })
        this.#onFailure(file.name)
      }
    } finally {
      this.#running.delete(id)
      this.#start()
    }
  }

  #forget(id: string): void {
    const photo = this.#photos.find((candidate) => candidate.id === id)
    if (photo?.preview.startsWith('blob:')) URL.revokeObjectURL(photo.preview)
    this.#files.delete(id)
  }

  #change(id: string, change: Partial<QueuedPhoto>): void {
    this.#set(this.#photos.map((photo) => (photo.id === id ? { ...photo, ...change } : photo)))
  }

  #set(photos: readonly QueuedPhoto[]): void {
    this.#photos = photos
    for (const listener of this.#listeners) listener()
  }
}

export const isUnderWay = ({ state }: QueuedPhoto) => state === 'waiting' || state === 'uploading'

/** The photos that are on the server, as they are kept and posted. */
export function keptPhotos(photos: readonly QueuedPhoto[]): KeptPhoto[] {
  return photos.flatMap(({ name, vehicle, url }) => (url === undefined ? [] : [{ name, vehicle, url }]))
}

function restored({ name, vehicle, url }: KeptPhoto): QueuedPhoto {
  const preview = `${url}?w=${previewWidth}`
  return { id: crypto.randomUUID(), name, state: 'done', progress: 1, preview, url, reason: undefined, vehicle }
}
