import { NetworkError, reasonOf } from '#client/lib/api.ts'
import { tab } from '#client/lib/tab.ts'
import { uploadFile } from '#client/lib/upload.ts'
import { untilProcessed } from '#client/lib/upload-processing.ts'
import { isFlag, isOptional, isShape, isText } from '#client/lib/guards.ts'
import { newId } from '#client/lib/new-id.ts'

/**
 * `processing`: on the server, which checks it and makes its sizes. It can be posted already. `held`: there is no connection; it goes
 * up when there is one.
 */
export type PhotoState = 'waiting' | 'uploading' | 'held' | 'processing' | 'done' | 'failed'

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
  /** The file is still at hand, so a failed one can be sent again. */
  retriable: boolean
  /** The vehicle it belongs to, where it is not the post's own. */
  vehicle: string | undefined
}

/** What outlives a reload: photos that are on the server. */
export type KeptPhoto = Pick<QueuedPhoto, 'name' | 'vehicle'> & {
  url: string
  /** False: it was still being processed. */
  ready: boolean
}

export const isKeptPhoto = isShape<KeptPhoto>({
  name: isText,
  vehicle: isOptional(isText),
  url: isText,
  ready: isFlag,
})

/** A photo as it goes out with its post: on the server already, or the file that still has to go up. */
export interface OutgoingPhoto {
  name: string
  vehicle: string | undefined
  url: string | undefined
  file: File | undefined
}

const parallel = 4
const previewWidth = 320

/** Photos on their way up, in the order of the post; the first is the cover. Four go at a time, and none once its dealer has signed out. */
export class PhotoQueue {
  #photos: readonly QueuedPhoto[]
  readonly #files = new Map<string, File>()
  /** Photos that are sent or processed now; of these, `#sending` holds a place in the line. */
  readonly #running = new Map<string, AbortController>()
  readonly #sending = new Set<string>()
  readonly #listeners = new Set<() => void>()
  readonly #onFailure: (name: string) => void
  /** Aborted once whoever has chosen them is not signed in any more: they would go up as somebody else's. */
  readonly #left = tab.leaving.signal

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

  /** What will never go up stands among them as failed, until it is taken away. */
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

  /** There may be a connection again: what it kept from going up is tried once more. */
  resume(): void {
    for (const { id, state } of this.#photos) if (state === 'held') this.retry(id)
  }

  /** All that go out with the post; what was refused stays behind. */
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

  /** Resolves when nothing is on its way to the server any more. */
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
    if (this.#left.aborted) return
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
      url = await this.#unlessLeft(controller, (signal) => uploadFile(file, { kind: 'photo', onProgress, signal }))
      this.#change(id, { state: 'processing', progress: 1, url })
    } catch (error) {
      this.#fail(id, error, controller)
    }
    this.#sending.delete(id)
    this.#start()
    if (url !== undefined) await this.#follow(id, url, controller)
  }

  /** Until the server has made its sizes, or refused the picture by its content. */
  async #follow(id: string, url: string, controller: AbortController): Promise<void> {
    this.#running.set(id, controller)
    try {
      await this.#unlessLeft(controller, (signal) => untilProcessed(url.split('/').at(-1) ?? '', signal))
      this.#running.delete(id)
      this.#files.delete(id)
      this.#change(id, { state: 'done', retriable: false })
    } catch (error) {
      this.#fail(id, error, controller)
    }
  }

  async #unlessLeft<T>(controller: AbortController, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const stop = () => controller.abort()
    this.#left.addEventListener('abort', stop)
    try {
      return await work(controller.signal)
    } finally {
      this.#left.removeEventListener('abort', stop)
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
    this.#change(id, { state: 'failed', url: undefined, reason: reasonOf(error) })
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

/** Of those that a post may have: all but those that can never be sent again. */
export const takesPlace = ({ state, retriable }: QueuedPhoto) => state !== 'failed' || retriable

export const isUnderWay = ({ state }: QueuedPhoto) => state === 'waiting' || state === 'uploading'

/** The photos that are on the server, as they are kept and posted. */
export function keptPhotos(photos: readonly QueuedPhoto[]): KeptPhoto[] {
  return photos.flatMap(({ name, vehicle, url, state }) =>
    url === undefined ? [] : [{ name, vehicle, url, ready: state === 'done' }],
  )
}

/** One that was just chosen: it shows at once. */
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
