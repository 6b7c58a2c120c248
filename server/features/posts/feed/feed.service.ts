import { createHash } from 'node:crypto'
import { feedMaxLimit, searchTotalMax } from '#shared/limits.ts'
import type { FeedQuery, Post } from '#shared/schemas/posts.ts'
import type { Context } from '#server/platform/process/context.ts'
import { createSingleFlight, markStale } from '#server/platform/single-flight.ts'
import { countFeed, type FeedRequest, findNear } from './feed-search.repository.ts'
import { listFeed } from './feed.repository.ts'

export interface FeedPage {
  posts: Post[]
  /** A search counts up to {@link searchTotalMax}. That number plus one means that there are more. */
  total: number
  next: string | undefined
  etag: string
}

/** With this cache, 10,000 readers of a page cost one query per second. */
const pageMs = 1_000
const totalMs = 5_000

export type Feed = (query: FeedQuery) => Promise<FeedPage>

/** Creates the feed, which is the same for every dealer. Events on this node clear its cache, so that changes show at once. */
export function createFeed(ctx: Context): Feed {
  const pages = createSingleFlight<FeedPage>(pageMs)
  const totals = createSingleFlight<number>(totalMs, { stale: true })
  for (const name of ['post.changed', 'post.edited', 'comment.added'] as const) ctx.bus.on(name, () => pages.clear())
  for (const name of ['post.created', 'post.removed'] as const)
    ctx.bus.on(name, () => {
      pages.clear()
      // Counting many posts is slow, so large totals may be slightly out of date.
      markStale(totals, (total) => total > searchTotalMax)
    })
  const load = async (request: FeedRequest): Promise<FeedPage> => {
    const count = () => countFeed(ctx.db, request)
    const key = JSON.stringify([request.search, request.sort, request.dealerId])
    const known = totals.peek(key)
    // Auctions open and end without an event on this node. There are few of them, so count them each time.
    const counting = request.sort === 'auction-promo' ? count() : totals.forceFetch(key, { context: count })
    const [exact, exactTotal] = await Promise.all([findExact(ctx, request, known, counting), counting])
    const { posts, next, total } = await withNear(ctx, request, exact, exactTotal)
    const etag = `"${createHash('sha1')
      .update(JSON.stringify([posts, total, next]))
      .digest('base64url')}"`
    return { posts, total, next, etag }
  }
  return (query) => {
    const search = query.search?.trim() ?? ''
    const { sort, limit = feedMaxLimit, cursor, dealerId } = query
    const request = { search, sort, limit, cursor, dealerId }
    return pages.forceFetch(JSON.stringify(request), { context: () => load(request) })
  }
}

const nearMark = 'near.'

const findExact = async (ctx: Context, request: FeedRequest, known: number | undefined, counting: Promise<number>) =>
  request.cursor?.startsWith(nearMark) === true
    ? { posts: [], next: undefined }
    : findPage(ctx, request, known, counting)

type Found = Pick<FeedPage, 'posts' | 'next'>

async function withNear(
  ctx: Context,
  request: FeedRequest,
  exact: Found,
  exactTotal: number,
): Promise<Found & { total: number }> {
  if (request.search === '' || exactTotal > searchTotalMax) return { ...exact, total: exactTotal }
  const near = await findNear(ctx.db, request.search)
  const nearTotal = near === undefined ? 0 : await countFeed(ctx.db, { ...request, near })
  const total = Math.min(exactTotal + nearTotal, searchTotalMax + 1)
  if (nearTotal === 0 || exact.next !== undefined) return { ...exact, total }
  const limit = request.limit - exact.posts.length
  if (limit === 0) return { ...exact, next: nearMark, total }
  const more = await listFeed(ctx.db, {
    ...request,
    near,
    limit,
    cursor: nearCursor(request),
    ...(nearTotal <= searchTotalMax && { scan: 'hits' }),
  })
  const next = more.next === undefined ? undefined : `${nearMark}${more.next}`
  return { posts: [...exact.posts, ...more.posts], next, total }
}

const nearCursor = ({ cursor = '' }: FeedRequest): string | undefined =>
  cursor.startsWith(nearMark) ? cursor.slice(nearMark.length) || undefined : undefined

/** Chooses the scan by the number of matches. A stale number can make the query slow, but never wrong. */
async function findPage(ctx: Context, request: FeedRequest, known: number | undefined, counting: Promise<number>) {
  if (request.search === '' || request.sort === 'auction-promo') return listFeed(ctx.db, request)
  if (known === undefined && request.cursor === undefined) {
    const [page] = await Promise.all([listFeed(ctx.db, { ...request, scan: 'newest' }), counting])
    if (page.next !== undefined) return page
  }
  const isFew = (known ?? (await counting)) <= searchTotalMax
  return listFeed(ctx.db, isFew ? { ...request, scan: 'hits' } : request)
}
