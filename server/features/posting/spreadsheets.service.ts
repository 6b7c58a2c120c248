import { randomUUID } from 'node:crypto'
import { isBound } from '#shared/auction-rules.ts'
import type { HeldSheet, SheetChanges, SheetDecision, SheetReport, SheetSummary } from '#shared/schemas/posting.ts'
import type { NewVehicle } from '#shared/schemas/posts.ts'
import { conflict, notFound } from '#server/errors.ts'
import { requirePosting } from '#server/features/entitlements/entitlements.service.ts'
import { requireMayTrade } from '#server/features/dealers/licenses.service.ts'
import { emitEdit } from '#server/features/posts/posts-changes.service.ts'
import {
  compareVehicles,
  type SheetComparison,
  takeOverVehicles,
} from '#server/features/posts/sheet-vehicles.service.ts'
import { type AuctionWithVehicle, findAndLockPost, lockPostAndAuction } from '#server/features/sale/sale.service.ts'
import type { Context } from '#server/platform/process/context.ts'
import type { Db, Tx } from '#server/platform/database/db.ts'
import type { JobRun } from '#server/platform/jobs/jobs.ts'
import type { Actor } from '#server/platform/session/session.ts'
import type { Emit } from '#server/platform/database/transact.ts'
import { isOtherThanSeen, needsApproval } from './sheet-decision.policy.ts'
import { notifyChanged, notifyFailed, notifyHeld } from './sheet-notices.service.ts'
import { countsOf, readLink, sampleSize, vehiclesKeyOf } from './sheet-previews.service.ts'
import type { SheetContent } from './sheets/sheet-rows.ts'
import {
  dropHeld,
  findHeldSheet,
  findImport,
  findLink,
  findSeenCounts,
  removeColumnChoices,
  removeColumnChoicesOf,
  saveFailed,
  saveHeld,
  savePublished,
  saveWaiting,
  updateHeld,
} from './posting.repository.ts'

const repeatLimit = { name: 'sheet-repeats', max: 30, seconds: 3_600 }
const hiddenMessage = 'A moderator hid this post. Try again once it is visible'
const boundMessage = 'This auction has a bid, so its vehicles cannot be changed'
const overMessage = 'This post is not active, so its vehicles cannot be changed. Relist it first'
const decidedMessage = 'This version is no longer waiting. Check what the post shows now'
const readingMessage = 'The spreadsheet is being read again. Decide once the new version is here'
const changedMessage = 'Your post changed since this list was made. Check the new list, then publish again'
const suspendedMessage = 'Your account was suspended, so the spreadsheet was not read'
const unknownHeadingsMessage = 'Read the spreadsheet again first. Then you can remove your corrections'

type Link = NonNullable<Awaited<ReturnType<typeof findLink>>>

/** @throws 404 unless the dealer owns the post and it has a link */
async function findOwnLink(db: Db, actor: Actor, postId: string): Promise<Link> {
  const link = await findLink(db, postId)
  if (link?.dealerId !== actor.dealerId) throw notFound('This spreadsheet')
  return link
}

/** @throws 404 if the dealer does not own the post, or if it has no import */
export async function readImport(ctx: Context, actor: Actor, postId: string): Promise<SheetReport> {
  await findOwnLink(ctx.db, actor, postId)
  const report = await findImport(ctx.db, postId)
  if (report === undefined) throw notFound('This spreadsheet')
  return report
}

/**
 * Imports the link again.
 * @throws 404 if the dealer does not own the post or it is hidden; 402 if posting requires a plan; 403 if it requires a confirmed email
 * address or a verified license; 409 if the auction has a bid or the post is not active; 429 after 30 imports in an hour
 */
export async function repeatImport(ctx: Context, actor: Actor, postId: string): Promise<SheetReport> {
  await readImport(ctx, actor, postId)
  return queueImport(ctx, actor, postId)
}

/**
 * Removes the dealer's column corrections for the headings in the report, and imports the link again.
 * @throws the errors of {@link repeatImport}; 409 if the report is too old to contain its headings
 */
export async function forgetColumns(ctx: Context, actor: Actor, postId: string): Promise<SheetReport> {
  const { held, summary } = await readImport(ctx, actor, postId)
  const headings = (held?.summary ?? summary)?.headings
  if (headings === undefined) throw conflict(unknownHeadingsMessage)
  return queueImport(ctx, actor, postId, (tx) => removeColumnChoices(tx, actor.dealerId, headings))
}

async function queueImport(
  ctx: Context,
  actor: Actor,
  postId: string,
  before?: (tx: Tx) => Promise<void>,
): Promise<SheetReport> {
  await requirePosting(ctx, actor.dealerId)
  await requireMayTrade(ctx.db, actor.dealerId)
  await ctx.limiter.consume(repeatLimit, actor.dealerId)
  await ctx.transact(async (tx, emit) => {
    await lockChangeable(tx, actor, postId)
    await before?.(tx)
    await saveWaiting(tx, postId)
    await emit.job('sheet.import', { postId }, { uniqueKey: postId })
  })
  return readImport(ctx, actor, postId)
}

/** Locks the post and its auction. @throws 404 if the post is hidden; 409 if the auction has a bid or the post is not active */
async function lockChangeable(tx: Tx, actor: Actor, postId: string): Promise<AuctionWithVehicle> {
  const { post, auction } = await lockPostAndAuction(tx, postId, actor.dealerId)
  if (post === undefined) throw notFound('This post')
  if (isBound(auction)) throw conflict(boundMessage)
  if (post.status !== 'active') throw conflict(overMessage)
  return auction
}

/**
 * Publishes the import that awaits its owner's approval, or discards it without changing the post.
 * @throws 404 if the dealer does not own the post; 409 if no import or a newer import awaits approval, or the link is being read.
 * Publishing also throws 402, 403, 404 and 409 like {@link repeatImport}; 409 with `EndsAuction` if it would end an open auction and
 * `endAuction` is not set; and 409 if the post has changed since the import was held, in which case the report has the new list of changes.
 */
export async function decideImport(
  ctx: Context,
  actor: Actor,
  postId: string,
  { heldId, publish, endAuction = false }: SheetDecision,
): Promise<SheetReport> {
  await readImport(ctx, actor, postId)
  if (publish) {
    await requirePosting(ctx, actor.dealerId)
    await requireMayTrade(ctx.db, actor.dealerId)
  }
  const isDecided = await ctx.transact(async (tx, emit) => {
    const auction = publish ? await lockChangeable(tx, actor, postId) : undefined
    // Lock in the same order as the import: first the post, then its report.
    if (!publish) await findAndLockPost(tx, postId)
    const waiting = await findHeldSheet(tx, postId)
    if (waiting?.state === 'waiting') throw conflict(readingMessage)
    if (waiting?.held?.id !== heldId) throw conflict(decidedMessage)
    const vehicles = waiting.heldVehicles ?? []
    if (publish) return publishHeld(tx, emit, postId, { held: waiting.held, vehicles, auction, endAuction })
    await dropHeld(tx, postId)
    await emitEdit(tx, emit, postId)
    return true
  })
  if (!isDecided) throw conflict(changedMessage)
  return readImport(ctx, actor, postId)
}

interface Held {
  held: HeldSheet
  vehicles: readonly NewVehicle[]
  auction: AuctionWithVehicle
  endAuction: boolean
}

/** Publishes a held import. If the post has changed since then, saves the new list of changes instead and returns false. */
async function publishHeld(
  tx: Tx,
  emit: Emit,
  postId: string,
  { held, vehicles, auction, endAuction }: Held,
): Promise<boolean> {
  const comparison = await compareVehicles(tx, postId, vehicles)
  const { changesKey } = comparison
  const changes = changesOf(comparison)
  if (changesKey === held.changesKey) {
    await publishReading(tx, emit, postId, { ...held, changes, vehicles, auction, mayEnd: endAuction })
    return true
  }
  // The new id prevents an approval of the previous list.
  await updateHeld(tx, postId, { ...held, id: randomUUID(), changes, changesKey })
  await emitEdit(tx, emit, postId)
  return false
}

const changesOf = ({ isFirst, changes }: SheetComparison): SheetChanges | null => (isFirst ? null : changes)

interface Reading {
  vehicles: readonly NewVehicle[]
  faults: SheetReport['faults']
  summary: SheetSummary
  changes: SheetChanges | null
  auction: AuctionWithVehicle
  /** False if the owner must first confirm that the import may end the post's auction. */
  mayEnd: boolean
}

async function publishReading(tx: Tx, emit: Emit, postId: string, reading: Reading): Promise<void> {
  const { vehicles, auction, faults, summary, changes, mayEnd } = reading
  const found = await takeOverVehicles(tx, emit, postId, { vehicles, auction, mayEnd })
  await savePublished(tx, postId, { found, faults, summary, changes })
}

/** Replaces the post's vehicles, or asks the owner for approval if too many would be lost. Reports link problems instead of retrying. */
export async function importSheet(ctx: Context, postId: string, run: JobRun): Promise<void> {
  const link = await findLink(ctx.db, postId)
  if (link === undefined) return
  const readAt = ctx.now().toISOString()
  const content = await readLink(ctx, link)
  await run.complete(async (tx, emit) => {
    const { post, auction } = await lockPostAndAuction(tx, postId, link.dealerId)
    const current = await findLink(tx, postId)
    // The post was deleted during the download.
    if (current === undefined) return
    const refusal = content instanceof Error ? content.message : refusalOf(current, post?.status, isBound(auction))
    if (content instanceof Error || refusal !== undefined) return failImport(tx, emit, link, refusal ?? '')
    await takeReading(tx, emit, link, { content: withHeadings(content), readAt, auction })
  })
}

/** Stores the heading keys with the report, so that the owner can remove the column corrections. */
const withHeadings = ({ summary, headings, ...content }: SheetContent): SheetContent => ({
  ...content,
  headings,
  summary: { ...summary, headings: [...headings.all] },
})

async function takeReading(
  tx: Tx,
  emit: Emit,
  link: Link,
  { content, readAt, auction }: { content: SheetContent; readAt: string; auction: AuctionWithVehicle },
): Promise<void> {
  const { postId } = link
  const seen = await findSeenCounts(tx, postId)
  const comparison = await compareVehicles(tx, postId, content.vehicles)
  const changes = changesOf(comparison)
  const vehiclesKey = vehiclesKeyOf(content.vehicles)
  if (needsApproval(comparison, seen, vehiclesKey)) {
    const { vehicles, faults, summary } = content
    const held = {
      id: randomUUID(),
      ...countsOf(vehicles),
      faults,
      summary,
      readAt,
      ...(isOtherThanSeen(seen, vehiclesKey) && { isOtherThanPreview: true }),
      changes,
      changesKey: comparison.changesKey,
      vehicles: vehicles.slice(0, sampleSize),
    }
    await saveHeld(tx, postId, { held, vehicles })
    await emitEdit(tx, emit, postId)
    return notifyHeld(tx, emit, link, held, comparison)
  }
  await publishReading(tx, emit, postId, { ...content, changes, auction, mayEnd: true })
  if (changes !== null) await notifyChanged(tx, emit, link, changes)
}

/** Returns why the post cannot change. During the download, it may have been hidden or closed, or received a bid. */
function refusalOf({ isSuspended }: Link, status: string | undefined, isBoundLot: boolean): string | undefined {
  if (isSuspended) return suspendedMessage
  if (status === undefined) return hiddenMessage
  if (isBoundLot) return boundMessage
  return status === 'active' ? undefined : overMessage
}

async function failImport(tx: Tx, emit: Emit, link: Link, reason: string): Promise<void> {
  await saveFailed(tx, link.postId, reason)
  await emitEdit(tx, emit, link.postId)
  await notifyFailed(tx, emit, link, reason)
}

export async function abandonImport(tx: Tx, emit: Emit, postId: string): Promise<void> {
  const link = await findLink(tx, postId)
  if (link !== undefined) await failImport(tx, emit, link, 'The spreadsheet could not be read. Try again later')
}

export const dropColumnChoices = (tx: Tx, dealerId: string): Promise<void> => removeColumnChoicesOf(tx, dealerId)
