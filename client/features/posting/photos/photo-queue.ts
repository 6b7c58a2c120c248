import { NetworkError, reasonOf } from '#client/lib/http/api.ts'
import { tab } from '#client/lib/storage/tab-state.ts'
import { isFinalRefusal, uploadFile } from '#client/lib/files/upload-file.ts'
import { untilProcessed } from '#client/lib/files/upload-processing.ts'
import { isFlag, isOptional, isShape, isText } from '#client/lib/http/type-guards.ts'
import { newId } from '#client/lib/http/new-id.ts'

/** `processing`: the server is resizing the photo, which can already be posted. `held`: the upload is waiting for a connection. */
export type PhotoState = 'waiting' | 'uploading' | 'held' | 'processing' | 'done' | 'failed'

export interface QueuedPhoto {
  id: string
  name: string
  state: PhotoState
  progress: number
  /** URL of the local file, or after a reload, of the uploaded photo. */
  preview: string
  url: string | undefined
  reason: string | undefined
  /** True if the file is still available, so that a failed upload can be retried. */
  retriable: boolean
  /** Key of the vehicle that the photo belongs to. Undefined for the post's own photos. */
  vehicle: string | undefined
}

/** A photo that survives a reload because it has been uploaded to the server. */
export type KeptPhoto = Pick<QueuedPhoto, 'name' | 'vehicle'> & {
  url: string
  ready: boolean
}

export const isKeptPhoto = isShape<KeptPhoto>({
  name: isText,
  vehicle: isOptional(isText),
  url: isText,
  ready: isFlag,
})

export interface OutgoingPhoto {
  name: string
  vehicle: string | undefined
  url: string | undefined
  file: File | undefined
}

const parallel = 4
const previewWidth = 320

/** Uploads a post's photos in order, at most four at a time. The first photo is the cover. Uploads stop when the dealer signs out. */
export class PhotoQueue {
  #photos: readonly QueuedPhoto[]
  readonly #files = new Map<string, File>()
  /** Photos being uploaded or processed. Only those in `#sending` count toward the limit of four. */
  readonly #running = new Map<string, AbortController>()
  readonly #sending = new Set<string>()
  readonly #listeners = new Set<() => void>()
  readonly #onFailure: (name: string) => void
  /** Aborted on sign-out. Otherwise, the remaining photos would be uploaded under the next user's account. */
  readonly #signOut = tab.signOut.signal

  constructor(start: readonly (KeptPhoto | OutgoingPhoto)[], onFailure: (name: string) => void) {
    this.#onFailure = onFailure
    this.#photos = start.map((photo) => ('ready' in photo ? restored(photo) : this.#resumed(photo)))
    for (const { id, url, state } of this.#photos)
      if (state === 'processing' && url !== undefined) void this.#follow(id, url, new AbortController())
    this.#start()
  }

  #resumed({ name, vehicle, url, file }: OutgoingPhoto): QueuedPhoto {
    if (url !== undefined) return restored({ name, vehicle, url, ready: true })
    const photo = chosen(name, file ?? new Blob(), vehicle)
    if (file) this.#files.set(photo.id, file)
    return photo
  }

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  readonly snapshot = () => this.#photos

  add(files: readonly File[], vehicle?: string): void {
    const added = files.map((file) => {
      const photo = chosen(file.name, file, vehicle)
      this.#files.set(photo.id, file)
      return photo
    })
    this.#set([...this.#photos, ...added])
    this.#start()
  }

  addRefused(files: readonly { file: File; reason: string }[], vehicle?: string): void {
    const refused = files.map(({ file, reason }) => ({
      ...chosen(file.name, file, vehicle),
      state: 'failed' as const,
      reason,
      retriable: false,
    }))
    if (refused.length > 0) this.#set([...this.#photos, ...refused])
  }

  retry(id: string): void {
    this.#change(id, { state: 'waiting', progress: 0, url: undefined, reason: undefined })
    this.#start()
  }

  resume(): void {
    for (const { id, state } of this.#photos) if (state === 'held') this.retry(id)
  }

  outgoing(): OutgoingPhoto[] {
    return this.#photos.flatMap(({ id, name, vehicle, url, state }) =>
      state === 'failed' ? [] : [{ name, vehicle, url, file: url === undefined ? this.#files.get(id) : undefined }],
    )
  }

  remove(id: string): void {
    this.#running.get(id)?.abort()
    this.#running.delete(id)
    this.#forget(id)
    this.#set(this.#photos.filter((photo) => photo.id !== id))
    this.#start()
  }

  removeVehicle(vehicle: string): void {
    for (const photo of this.#photos) if (photo.vehicle === vehicle) this.remove(photo.id)
  }

  move(id: string, to: number): void {
    const photo = this.#photos.find((candidate) => candidate.id === id)
    if (!photo) return
    const others = this.#photos.filter((candidate) => candidate.id !== id)
    this.#set([...others.slice(0, to), photo, ...others.slice(to)])
  }

  assign(id: string, vehicle: string | undefined): void {
    this.#change(id, { vehicle })
  }

  /** Removes all photos except those of the given vehicles. */
  keepOnly(vehicles: readonly string[]): void {
    for (const { id, vehicle } of this.#photos)
      if (vehicle === undefined || !vehicles.includes(vehicle)) this.remove(id)
  }

  /** Resolves when no upload is waiting or in flight. */
  settled(): Promise<void> {
    return new Promise((resolve) => {
      const check = () => {
        if (this.#photos.some(isUploading)) return
        stop()
        resolve()
      }
      const stop = this.subscribe(check)
      check()
    })
  }

  #start(): void {
    if (this.#signOut.aborted) return
    for (const photo of this.#photos) {
      if (this.#sending.size >= parallel) return
      if (photo.state === 'waiting') void this.#upload(photo.id)
    }
  }

  async #upload(id: string): Promise<void> {
    const file = this.#files.get(id)
    if (!file) return
    const controller = new AbortController()
    this.#running.set(id, controller)
    this.#sending.add(id)
    this.#change(id, { state: 'uploading' })
    let url: string | undefined
    try {
      const onProgress = (progress: number) => this.#change(id, { progress })
      url = await this.#unlessSignedOut(controller, (signal) => uploadFile(file, { kind: 'photo', onProgress, signal }))
      this.#change(id, { state: 'processing', progress: 1, url })
    } catch (error) {
      this.#fail(id, error, controller)
    }
    this.#sending.delete(id)
    this.#start()
    if (url !== undefined) await this.#follow(id, url, controller)
  }

  async #follow(id: string, url: string, controller: AbortController): Promise<void> {
    this.#running.set(id, controller)
    try {
      await this.#unlessSignedOut(controller, (signal) => untilProcessed(url.split('/').at(-1) ?? '', signal))
      this.#running.delete(id)
      this.#files.delete(id)
      this.#change(id, { state: 'done', retriable: false })
    } catch (error) {
      this.#fail(id, error, controller)
    }
  }

  async #unlessSignedOut<T>(controller: AbortController, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const stop = () => controller.abort()
    this.#signOut.addEventListener('abort', stop)
    try {
      return await work(controller.signal)
    } finally {
      this.#signOut.removeEventListener('abort', stop)
    }
  }

  #fail(id: string, error: unknown, { signal }: AbortController): void {
    this.#running.delete(id)
    const photo = this.#photos.find((candidate) => candidate.id === id)
    if (signal.aborted || photo === undefined) return
    if (error instanceof NetworkError) {
      this.#change(id, { state: 'held', progress: 0, url: undefined })
      return
    }
    const retriable = photo.retriable && !isFinalRefusal(error)
    this.#change(id, { state: 'failed', url: undefined, reason: reasonOf(error), retriable })
    this.#onFailure(photo.name)
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

/** True if a photo counts toward the post's limit. A failed photo counts only if the upload can be retried. */
export const countsTowardLimit = ({ state, retriable }: QueuedPhoto) => state !== 'failed' || retriable

export const isUploading = ({ state }: QueuedPhoto) => state === 'waiting' || state === 'uploading'

export function keptPhotos(photos: readonly QueuedPhoto[]): KeptPhoto[] {
  return photos.flatMap(({ name, vehicle, url, state }) =>
    url === undefined ? [] : [{ name, vehicle, url, ready: state === 'done' }],
  )
}

function chosen(name: string, file: Blob, vehicle: string | undefined): QueuedPhoto {
  const empty = { progress: 0, url: undefined, reason: undefined }
  return { id: newId(), name, state: 'waiting', preview: URL.createObjectURL(file), vehicle, retriable: true, ...empty }
}

function restored({ name, vehicle, url, ready }: KeptPhoto): QueuedPhoto {
  const preview = `${url}?w=${previewWidth}`
  const state = ready ? 'done' : 'processing'
  const kept = { progress: 1, reason: undefined, retriable: false }
  return { id: newId(), name, state, preview, url, vehicle, ...kept }
}
