import { createHash } from 'node:crypto'
import { feedMaxLimit } from '#shared/limits.ts'
import type { FeedQuery, Post } from '#shared/schemas/posts.ts'
import type { Context } from '#server/platform/context.ts'
import { countFeed, listFeed, type FeedRequest } from './feed.repository.ts'

/** A feed page, ready to send. */
export interface FeedPage {
  posts: Post[]
  total: number
  next: string | undefined
  /** Strong: the same bytes have the same tag. */
  etag: string
}

/** A page this old is asked for again. Within it, ten thousand readers cost one query. */
const pageMs = 1_000
const totalMs = 5_000
const entriesMax = 500

/** Values by key for a while; those who ask while one is being made wait for the same one. */
export class SingleFlight<T> {
  readonly #entries = new Map<string, { value: Promise<T>; until: number }>()
  readonly #ttlMs: number
  constructor(ttlMs: number) {
    this.#ttlMs = ttlMs
  }

  /** With `stale`, an old value is answered at once while a new one is being made. */
  get(key: string, make: () => Promise<T>, stale = false): Promise<T> {
    const entry = this.#entries.get(key)
    if (entry !== undefined && entry.until > Date.now()) return entry.value
    if (entry !== undefined && stale) {
      entry.until = Date.now() + this.#ttlMs
      make().then(
        (value) => (entry.value = Promise.resolve(value)),
        () => undefined,
      )
      return entry.value
    }
    if (this.#entries.size >= entriesMax) this.#entries.clear()
    const value = make()
    this.#entries.set(key, { value, until: Date.now() + this.#ttlMs })
    value.catch(() => this.#entries.delete(key))
    return value
  }

  clear(): void {
    this.#entries.clear()
  }
}

export type Feed = (query: FeedQuery) => Promise<FeedPage>

/** The feed as every dealer reads it. Facts of this node empty the cache, so a dealer's own write is never older than it. */
export function createFeed(ctx: Context): Feed {
  const pages = new SingleFlight<FeedPage>(pageMs)
  const totals = new SingleFlight<number>(totalMs)
  for (const fact of ['post.changed', 'post.edited', 'comment.added'] as const) ctx.bus.on(fact, () => pages.clear())
  for (const fact of ['post.created', 'post.removed'] as const)
    ctx.bus.on(fact, () => {
      pages.clear()
      totals.clear()
    })
  const load = async (request: FeedRequest): Promise<FeedPage> => {
    const [{ posts, next }, total] = await Promise.all([
      listFeed(ctx.db, request),
      totals.get(
        JSON.stringify([request.search, request.sort, request.dealerId]),
        () => countFeed(ctx.db, request),
        true,
      ),
    ])
    const etag = `"${createHash('sha1')
      .update(JSON.stringify([posts, total, next]))
      .digest('base64url')}"`
    return { posts, total, next, etag }
  }
  return (query) => {
    const search = query.search?.trim() ?? ''
    const { sort, limit = feedMaxLimit, cursor, dealerId } = query
    const request = { search, sort, limit, cursor, dealerId }
    return pages.get(JSON.stringify(request), () => load(request))
  }
}
