import type { NewPost, PostDetail } from '#shared/schemas/posts.ts'
import { notFound } from '#server/errors.ts'
import { openAuction } from '#server/features/auctions/auction-of-post.service.ts'
import { refreshFind, queueMatching } from '#server/features/find/refresh-find.service.ts'
import { attachUrls } from '#server/features/uploads/uploads.service.ts'
import { lockDealerShared } from '#server/features/dealers/dealers.service.ts'
import { requireMayTrade } from '#server/features/dealers/licenses.service.ts'
import { requirePosting } from '#server/features/entitlements/entitlements.service.ts'
import type { Context } from '#server/platform/process/context.ts'
import { assertSelf } from '#server/platform/http/guards.ts'
import { centsOf } from '#server/platform/money.ts'
import type { Tx } from '#server/platform/database/db.ts'
import { once } from '#server/platform/run-once.ts'
import type { Actor } from '#server/platform/session/session.ts'
import type { Emit } from '#server/platform/database/transact.ts'
import { readComments } from './post-comments.service.ts'
import { validatePost } from './posts.policy.ts'
import {
  findByIdempotencyKey,
  findPost,
  insertPhotos,
  insertPost,
  insertVehicles,
  insertWaitingImport,
  refreshSearch,
} from './posts.repository.ts'

/** Limits new and relisted posts, because both appear at the top of the feed. */
export const postLimit = { name: 'posts', max: 30, seconds: 3_600 }

/** Returns a post with the newest comments that the reader may see. @throws 404 if the reader cannot see the post */
export async function readPost(ctx: Context, postId: string, readerId: string): Promise<PostDetail> {
  const post = await findPost(ctx.db, postId, readerId)
  if (post === undefined) throw notFound('This post')
  // Read the comments last. If they were older than the post, the reader could miss the newest comments.
  const { comments, earlier } = await readComments(ctx, postId, readerId)
  return { ...post, comments, earlierComments: earlier }
}

/**
 * Publishes a post. Repeating a request with the same idempotency key returns the first result.
 * @throws 400 if a field is invalid; 402 or 403 if the dealer may not post; 403 if `dealerId` is another dealer; 429 after 30 an hour
 */
export async function createPost(
  ctx: Context,
  actor: Actor,
  input: NewPost,
  key: string | undefined,
): Promise<PostDetail> {
  assertSelf(actor, input.dealerId)
  const { title, spreadsheetUrl, vehicles, photos } = validatePost(input)
  const findKnown = async () => {
    const known = key === undefined ? undefined : await findByIdempotencyKey(ctx.db, actor.dealerId, key)
    return known === undefined ? undefined : readPost(ctx, known, actor.dealerId)
  }
  return once(findKnown, async () => {
    await requirePosting(ctx, actor.dealerId)
    await requireMayTrade(ctx.db, actor.dealerId)
    await ctx.limiter.consume(postLimit, actor.dealerId)
    const postId = await ctx.transact(async (tx, emit) => {
      await lockDealerShared(tx, actor.dealerId)
      const owner = { dealerId: actor.dealerId, kind: 'photo', now: ctx.now() } as const
      const urls = await attachUrls(
        tx,
        emit,
        owner,
        photos.map(({ url }) => url),
      )
      const stored = photos.map((photo, index) => ({ ...photo, url: urls[index] ?? photo.url }))
      return publishPost(tx, emit, {
        dealerId: actor.dealerId,
        input: { ...input, title, spreadsheetUrl, vehicles },
        photos: stored,
        key,
      })
    })
    return readPost(ctx, postId, actor.dealerId)
  })
}

interface Publication {
  dealerId: string
  /** Already checked by `validatePost`. */
  input: NewPost
  /** `vehicle` is the index of the vehicle that the photo shows. */
  photos: readonly { url: string; vehicle?: number }[]
  key?: string | undefined
  directed?: boolean
}

/** Inserts a post and announces it in the feed. Returns the post's id. */
export async function publishPost(
  tx: Tx,
  emit: Emit,
  { dealerId, input, photos, key, directed }: Publication,
): Promise<string> {
  const { vehicles = [] } = input
  const id = await insertPost(tx, dealerId, { ...input, directed }, vehicles.length, key)
  const vehicleIds = await insertVehicles(tx, id, vehicles)
  await insertPhotos(
    tx,
    id,
    photos.map(({ url, vehicle }) => ({
      url,
      vehicleId: vehicle === undefined ? null : (vehicleIds[vehicle] ?? null),
    })),
  )
  await refreshSearch(tx, [id])
  if (input.auction !== undefined) {
    const price = vehicles[0]?.price
    const askingCents = price === undefined ? undefined : centsOf(price)
    await openAuction(tx, emit, { id, sellerId: dealerId, askingCents }, input.auction)
  }
  if (input.type === 'spreadsheet') {
    await insertWaitingImport(tx, id, input.sheetSeen)
    await emit.job('sheet.import', { postId: id }, { uniqueKey: id })
  }
  await refreshFind(tx, [id])
  await emit.job('post.summarize', { postId: id }, { uniqueKey: id })
  await emit.job('saved.match', { postId: id })
  await queueMatching(emit, id)
  emit('post.created', { postId: id, dealerId })
  return id
}
