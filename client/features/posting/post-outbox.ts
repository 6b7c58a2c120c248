import type { QueryClient } from '@tanstack/react-query'
import { createStore, del, entries, set } from 'idb-keyval'
import { call, reasonOf } from '#client/lib/http/api.ts'
import { isListOf, isNumber, isOneOf, isOptional, isShape, isText, type Guard } from '#client/lib/http/type-guards.ts'
import { takeLock, withLock } from '#client/lib/storage/tab-lock.ts'
import { refetchOwnPosts } from '#client/lib/post/cached-posts.ts'
import { browserRetryClock, isRefusal, Retries, type RetryClock } from '#client/lib/http/retries.ts'
import { defineSlice } from '#client/lib/storage/store-slice.ts'
import { orElse } from '#client/lib/http/or-else.ts'
import { uploadFile } from '#client/lib/files/upload-file.ts'
import { toast } from '#client/ui/toast-store.ts'
import type { OutgoingPhoto } from './photos/photo-queue.ts'
import { isPostDraft, type PostDraft, toNewPost } from './post-draft.ts'

/** A post that could not be sent because the server was unreachable. */
export interface UnsentPost {
  /** The id also serves as the idempotency key, so repeated sends create only one post. */
  id: string
  draft: PostDraft
  photos: readonly OutgoingPhoto[]
  order: number
  state: 'waiting' | 'refused'
  reason?: string
}

interface Unsent {
  posts: readonly UnsentPost[]
  sending: string | undefined
  /** Id of the post that is open in a form. The outbox must not send it. */
  edited: string | undefined
}

export const unsentSlice = defineSlice<Unsent>('unsentPosts', () => ({
  posts: [],
  sending: undefined,
  edited: undefined,
}))

export interface UnsentStorage {
  put: (post: UnsentPost) => Promise<boolean>
  remove: (id: string) => Promise<void>
  list: () => Promise<UnsentPost[] | undefined>
}

/** Increment this when the shape of a row changes. Rows with another version are dropped. */
const rowVersion = 1

interface Row {
  version: typeof rowVersion
  dealerId: string
  post: UnsentPost
}

const isFile: Guard<File> = (value): value is File => value instanceof Blob

const isRow = isShape<Row>({
  version: isOneOf([rowVersion]),
  dealerId: isText,
  post: isShape<UnsentPost>({
    id: isText,
    draft: isPostDraft,
    photos: isListOf(
      isShape<OutgoingPhoto>({
        name: isText,
        vehicle: isOptional(isText),
        url: isOptional(isText),
        file: isOptional(isFile),
      }),
    ),
    order: isNumber,
    state: isOneOf(['waiting', 'refused']),
    reason: isOptional(isText),
  }),
})

/** Opens the store of unsent posts in IndexedDB. Each row records its author, because several dealers may share a browser. */
export function openUnsentStorage(dealerId: string): UnsentStorage {
  if (!('indexedDB' in globalThis))
    return { put: async () => false, remove: async () => {}, list: async () => undefined }
  const store = createStore('lanewire-posts', 'unsent')
  return {
    async put(post) {
      const row: Row = { version: rowVersion, dealerId, post }
      return orElse(() => set(post.id, row, store).then(() => true), false)
    },
    remove: (id) => orElse(() => del(id, store), undefined),
    async list() {
      const rows = await orElse(() => entries<IDBValidKey, unknown>(store), undefined)
      if (rows === undefined) return undefined
      const own: UnsentPost[] = []
      for (const [key, row] of rows) {
        if (!isRow(row)) {
          reportError(new Error('An unsent post could not be read'))
          await orElse(() => del(key, store), undefined)
        } else if (row.dealerId === dealerId) own.push(row.post)
      }
      return own.toSorted((a, b) => a.order - b.order)
    },
  }
}

/** Name of the lock that a tab holds while it sends or edits the post. */
const postLock = (id: string) => `post-${id}`

const queueKey = 'posts'

interface OutboxParts {
  dealerId: string
  cache: QueryClient
  storage: UnsentStorage
  clock?: RetryClock
}

/** The dealer's unsent posts, sent in order. A post stays in this browser until the server accepts it or the dealer discards it. */
export class PostOutbox {
  readonly #parts: OutboxParts
  readonly #retries: Retries
  readonly #stopping = new AbortController()
  #isRunning = false
  /** True if another run was requested during the current run, for example because the connection is back. */
  #mustRunAgain = false
  #releaseLock: () => void = () => {}
  /** Posts that another tab had locked when this tab last tried to send them. */
  readonly #lockedElsewhere = new Set<string>()

  constructor(parts: OutboxParts) {
    this.#parts = parts
    this.#retries = new Retries({ clock: parts.clock ?? browserRetryClock, isOver: () => this.#isStopped })
  }

  get #isStopped(): boolean {
    return this.#stopping.signal.aborted
  }

  stop(): void {
    // Stop the uploads now. Otherwise, they would continue under the account of the next person who signs in.
    this.#stopping.abort()
    this.#releaseLock()
    this.#retries.cancelAll()
    unsentSlice.reset()
  }

  /** Stores a post to send it later. Returns false if this browser cannot store it. */
  async keep(post: UnsentPost): Promise<boolean> {
    if (this.#isStopped || !(await this.#parts.storage.put(post))) return false
    this.#show([...unsentSlice.get().posts.filter(({ id }) => id !== post.id), post])
    this.#retries.schedule(queueKey, () => void this.work())
    return true
  }

  /** Locks a post for editing, so that it is not sent. Returns false if another tab has locked it or already sent it. */
  async edit(id: string): Promise<boolean> {
    unsentSlice.set((state) => void (state.edited = id))
    const releaseLock = await takeLock(postLock(id))
    if (releaseLock !== undefined) await this.#load()
    const isFree = releaseLock !== undefined && unsentSlice.get().posts.some((post) => post.id === id)
    if (isFree && !this.#isStopped) {
      this.#releaseLock = releaseLock
      return true
    }
    releaseLock?.()
    if (!this.#isStopped) this.endEdit()
    return false
  }

  endEdit(): void {
    unsentSlice.set((state) => void (state.edited = undefined))
    this.#releaseLock()
    this.#releaseLock = () => {}
    void this.work()
  }

  async discard(id: string): Promise<void> {
    await this.#parts.storage.remove(id)
    if (!this.#isStopped) this.#show(unsentSlice.get().posts.filter((post) => post.id !== id))
  }

  /** Retries immediately, because the connection may be back or another tab may have stored a post. */
  workNow(): void {
    this.#retries.cancelAll()
    if (this.#isRunning) this.#mustRunAgain = true
    else void this.work()
  }

  async work(): Promise<void> {
    if (this.#isStopped || this.#isRunning || this.#retries.isWaiting(queueKey)) return
    this.#isRunning = true
    try {
      await withLock(queueKey, async () => {
        await this.#load()
        this.#lockedElsewhere.clear()
        for (let next = this.#next(); next !== undefined; next = this.#next()) if (!(await this.#send(next))) return
      })
    } finally {
      this.#isRunning = false
    }
    if (!this.#mustRunAgain) return
    this.#mustRunAgain = false
    this.workNow()
  }

  #next(): UnsentPost | undefined {
    if (this.#isStopped) return undefined
    const { posts, edited } = unsentSlice.get()
    return posts.find(({ id, state }) => state === 'waiting' && id !== edited && !this.#lockedElsewhere.has(id))
  }

  /** Reloads the stored posts, because other tabs may have changed them. */
  async #load(): Promise<void> {
    const stored = await this.#parts.storage.list()
    if (stored !== undefined && !this.#isStopped) this.#show(stored)
  }

  #show(posts: readonly UnsentPost[]): void {
    unsentSlice.set((state) => void Object.assign(state, { posts }))
  }

  async #change(post: UnsentPost): Promise<void> {
    await this.#parts.storage.put(post)
    if (!this.#isStopped) this.#show(unsentSlice.get().posts.map((one) => (one.id === post.id ? post : one)))
  }

  async #send(post: UnsentPost): Promise<boolean> {
    const { dealerId } = this.#parts
    let releaseLock: (() => void) | undefined
    try {
      const { id } = await call('/api/auth/me')
      if (id !== dealerId) {
        this.#retries.schedule(queueKey, () => void this.work())
        return false
      }
      // Skip the post if it was opened for editing or discarded in the meantime.
      if (this.#next()?.id !== post.id) return true
      releaseLock = await takeLock(postLock(post.id))
      if (releaseLock === undefined) this.#lockedElsewhere.add(post.id)
      else await this.#load()
      // Another tab may have changed or sent the post before this tab got the lock.
      const next = this.#next()
      if (next?.id === post.id) await this.#sendNow(next)
      return true
    } catch (error) {
      if (isRefusal(error)) {
        const known = unsentSlice.get().posts.find(({ id }) => id === post.id) ?? post
        await this.#change({ ...known, state: 'refused', reason: reasonOf(error) })
        return true
      }
      this.#retries.schedule(queueKey, () => void this.work(), error)
      return false
    } finally {
      releaseLock?.()
      if (!this.#isStopped) unsentSlice.set((state) => void (state.sending = undefined))
    }
  }

  async #sendNow(post: UnsentPost): Promise<void> {
    const { dealerId, cache } = this.#parts
    unsentSlice.set((state) => void (state.sending = post.id))
    const body = toNewPost(postedDraft(await this.#withPhotos(post)), dealerId)
    this.#stopping.signal.throwIfAborted()
    await call('/api/inventory', { method: 'POST', body, idempotencyKey: post.id })
    this.#retries.succeed(queueKey)
    await this.discard(post.id)
    toast({ title: 'Inventory posted successfully!' })
    void refetchOwnPosts(cache)
  }

  /** Stores each uploaded photo's URL at once, so that retries do not upload it again. */
  async #withPhotos(post: UnsentPost): Promise<UnsentPost> {
    const photos = [...post.photos]
    for (const [index, photo] of post.photos.entries()) {
      const { url, file } = photo
      if (url !== undefined || file === undefined) continue
      const address = await uploadFile(file, { kind: 'photo', signal: this.#stopping.signal })
      photos[index] = { ...photo, url: address, file: undefined }
      await this.#change({ ...post, photos: [...photos] })
    }
    return { ...post, photos }
  }
}

export const postedDraft = ({ draft, photos }: Pick<UnsentPost, 'draft' | 'photos'>): PostDraft => ({
  ...draft,
  photos: photos.flatMap(({ name, vehicle, url }) => (url === undefined ? [] : [{ name, vehicle, url, ready: true }])),
})

const outboxSlice = defineSlice<{ outbox: PostOutbox | undefined }>('postOutbox', () => ({ outbox: undefined }))

export const findPostOutbox = (): PostOutbox | undefined => outboxSlice.get().outbox

export function startPostOutbox(parts: OutboxParts): () => void {
  const outbox = new PostOutbox(parts)
  const workNow = () => outbox.workNow()
  outboxSlice.set((state) => void (state.outbox = outbox))
  window.addEventListener('online', workNow)
  workNow()
  return () => {
    window.removeEventListener('online', workNow)
    outbox.stop()
    outboxSlice.reset()
  }
}
