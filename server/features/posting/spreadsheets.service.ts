import { randomUUID } from 'node:crypto'
import { isBound } from '#shared/auction-rules.ts'
import { formatNumber, plural } from '#shared/format.ts'
import type { HeldSheet, SheetChanges, SheetDecision, SheetReport, SheetSummary } from '#shared/schemas/posting.ts'
import type { NewVehicle } from '#shared/schemas/posts.ts'
import { conflict, notFound } from '#server/errors.ts'
import { requirePosting } from '#server/features/entitlements/entitlements.service.ts'
import { requireMayTrade } from '#server/features/dealers/licenses.service.ts'
import { emitEdit, lockVisiblePost } from '#server/features/posts/posts-changes.service.ts'
import {
  compareVehicles,
  type SheetComparison,
  takeOverVehicles,
} from '#server/features/posts/sheet-vehicles.service.ts'
import { findAndLockPost, type AuctionWithVehicle, lockAuctionAndVehicle } from '#server/features/sale/sale.service.ts'
import { notify } from '#server/features/notifications/notifications.service.ts'
import type { Context } from '#server/platform/process/context.ts'
import type { Db, Tx } from '#server/platform/database/db.ts'
import type { JobRun } from '#server/platform/jobs/jobs.ts'
import type { Actor } from '#server/platform/session/session.ts'
import type { Emit } from '#server/platform/database/transact.ts'
import { losesMuch } from './sheet-decision.policy.ts'
import { countsOf, readLink, sampleSize } from './sheet-previews.service.ts'
import type { SheetContent } from './sheets/sheet-rows.ts'
import {
  dropHeld,
  findHeldSheet,
  findImport,
  findLink,
  findSeen,
  removeImportsOf,
  saveFailed,
  saveHeld,
  savePublished,
  saveWaiting,
} from './posting.repository.ts'

const repeatLimit = { name: 'sheet-repeats', max: 30, seconds: 3_600 }
const hiddenMessage = 'A moderator hid this post. Try again once it is visible'
const boundMessage = 'This auction has a bid, so its vehicles cannot be changed'
const overMessage = 'This post is not active, so its vehicles cannot be changed. Relist it first'
const decidedMessage = 'This version is no longer waiting. Check what the post shows now'

type Link = NonNullable<Awaited<ReturnType<typeof findLink>>>

/** @throws 404 except for the owner, and for a post without a link */
async function findOwnLink(db: Db, actor: Actor, postId: string): Promise<Link> {
  const link = await findLink(db, postId)
  if (link?.dealerId !== actor.dealerId) throw notFound('This spreadsheet')
  return link
}

/** Reads the import report. @throws 404 except for the owner, and without an import */
export async function readImport(ctx: Context, actor: Actor, postId: string): Promise<SheetReport> {
  await findOwnLink(ctx.db, actor, postId)
  const report = await findImport(ctx.db, postId)
  if (report === undefined) throw notFound('This spreadsheet')
  return report
}

/**
 * Imports the link again.
 * @throws 404 except for the owner, and for a hidden post; 402 and 403 as for posting; 409 if the auction has a bid or
 * the post is not active; 429 above 30 an hour
 */
export async function repeatImport(ctx: Context, actor: Actor, postId: string): Promise<SheetReport> {
  await readImport(ctx, actor, postId)
  await requirePosting(ctx, actor.dealerId)
  await requireMayTrade(ctx.db, actor.dealerId)
  await ctx.limiter.consume(repeatLimit, actor.dealerId)
  await ctx.transact(async (tx, emit) => {
    await holdChangeable(tx, actor, postId)
    await saveWaiting(tx, postId)
    await emit.job('sheet.import', { postId }, { uniqueKey: postId })
  })
  return readImport(ctx, actor, postId)
}

/** @throws 404 for a hidden post, 409 if the auction has a bid or the post is not active */
async function holdChangeable(tx: Tx, actor: Actor, postId: string): Promise<AuctionWithVehicle> {
  const auction = await lockAuctionAndVehicle(tx, postId, actor.dealerId)
  if (isBound(auction)) throw conflict(boundMessage)
  if ((await lockVisiblePost(tx, postId)).status !== 'active') throw conflict(overMessage)
  return auction
}

/**
 * Publishes the import that awaits its owner's approval, or discards it and keeps the post as it is.
 * @throws 404 except for the owner; 409 if no import waits or a newer one does; when publishing, also as `repeatImport`
 */
export async function decideImport(
  ctx: Context,
  actor: Actor,
  postId: string,
  { heldId, publish }: SheetDecision,
): Promise<SheetReport> {
  await readImport(ctx, actor, postId)
  if (publish) {
    await requirePosting(ctx, actor.dealerId)
    await requireMayTrade(ctx.db, actor.dealerId)
  }
  await ctx.transact(async (tx, emit) => {
    const auction = publish ? await holdChangeable(tx, actor, postId) : undefined
    // Lock in the same order as the import: first the post, then its report.
    if (!publish) await findAndLockPost(tx, postId)
    const waiting = await findHeldSheet(tx, postId)
    if (waiting?.held?.id !== heldId) throw conflict(decidedMessage)
    if (publish)
      await publishReading(tx, emit, postId, { ...waiting.held, vehicles: waiting.heldVehicles ?? [], auction })
    else {
      await dropHeld(tx, postId)
      await emitEdit(tx, emit, postId)
    }
  })
  return readImport(ctx, actor, postId)
}

interface Reading {
  vehicles: readonly NewVehicle[]
  faults: SheetReport['faults']
  summary: SheetSummary
  changes: SheetChanges | null
  auction: AuctionWithVehicle
}

async function publishReading(tx: Tx, emit: Emit, postId: string, reading: Reading): Promise<void> {
  const { vehicles, auction, faults, summary, changes } = reading
  const found = await takeOverVehicles(tx, emit, postId, { vehicles, auction })
  await savePublished(tx, postId, { found, faults, summary, changes })
}

/**
 * The import job. Replaces the post's vehicles, or asks the owner to approve if many vehicles or prices would be lost. Problems with
 * the link are reported to the owner and not retried.
 */
export async function importSheet(ctx: Context, postId: string, run: JobRun): Promise<void> {
  const link = await findLink(ctx.db, postId)
  if (link === undefined) return
  const content = await readLink(ctx, link)
  await run.complete(async (tx, emit) => {
    const held = await lockAuctionAndVehicle(tx, postId, link.dealerId)
    const post = await findAndLockPost(tx, postId)
    // Bidding may have been switched on while waiting for the lock.
    const auction = held ?? (await lockAuctionAndVehicle(tx, postId, link.dealerId))
    // The post was deleted during the download.
    if (post === undefined && (await findLink(tx, postId)) === undefined) return
    const refusal = content instanceof Error ? content.message : refusalOf(post?.status, isBound(auction))
    if (content instanceof Error || refusal !== undefined) return failImport(tx, emit, link, refusal ?? '')
    await takeReading(tx, emit, link, { content, auction })
  })
}

async function takeReading(
  tx: Tx,
  emit: Emit,
  link: Link,
  { content, auction }: { content: SheetContent; auction: AuctionWithVehicle },
): Promise<void> {
  const { postId } = link
  const seen = await findSeen(tx, postId)
  const comparison = await compareVehicles(tx, postId, content.vehicles)
  const { before, changes: found } = comparison
  const isFirst = before.vehicles + found.removed + found.changed === 0
  const changes = isFirst ? null : found
  if (losesMuch(comparison, seen)) {
    const { vehicles, faults, summary } = content
    const held = {
      id: randomUUID(),
      ...countsOf(vehicles),
      faults,
      summary,
      changes,
      vehicles: vehicles.slice(0, sampleSize),
    }
    await saveHeld(tx, postId, { held, vehicles })
    await emitEdit(tx, emit, postId)
    return notifyHeld(tx, emit, link, held, comparison)
  }
  await publishReading(tx, emit, postId, { ...content, changes, auction })
  if (changes !== null) await notifyChanged(tx, emit, link, changes)
}

/** Checks for changes during the download: hidden or inactive posts, and lots with a bid, stay as they are. */
function refusalOf(status: string | undefined, isBoundLot: boolean): string | undefined {
  if (status === undefined) return hiddenMessage
  if (isBoundLot) return boundMessage
  return status === 'active' ? undefined : overMessage
}

/** Sends one notice per sheet, because the seller decides whether to try again. */
async function failImport(tx: Tx, emit: Emit, link: Link, reason: string): Promise<void> {
  await saveFailed(tx, link.postId, reason)
  await emitEdit(tx, emit, link.postId)
  await notifyOwner(tx, emit, link, {
    title: 'Your spreadsheet could not be read',
    body: reason,
    key: `sheet:${link.postId}`,
  })
}

export async function abandonImport(tx: Tx, emit: Emit, postId: string): Promise<void> {
  const link = await findLink(tx, postId)
  if (link !== undefined) await failImport(tx, emit, link, 'The spreadsheet could not be read. Try again later')
}

async function notifyHeld(
  tx: Tx,
  emit: Emit,
  link: Link,
  { id, found, changes }: HeldSheet,
  { before, after }: SheetComparison,
): Promise<void> {
  const body =
    changes === null
      ? `${plural(found, 'vehicle')} found. Check and publish them`
      : `The new version has ${insteadOf(after.vehicles, before.vehicles, 'vehicle')}, and ${insteadOf(after.prices, before.prices, 'price')}. Publish it or keep the current version`
  await notifyOwner(tx, emit, link, { title: 'Your spreadsheet needs your approval', body, key: `sheet-held:${id}` })
}

const insteadOf = (now: number, before: number, noun: string) =>
  `${plural(now, noun)} instead of ${formatNumber(before)}`

async function notifyChanged(tx: Tx, emit: Emit, link: Link, changes: SheetChanges): Promise<void> {
  const { added, removed, changed } = changes
  if (added + removed + changed === 0) return
  const body = `${formatNumber(added)} added, ${formatNumber(removed)} removed, ${formatNumber(changed)} with another price or mileage`
  await notifyOwner(tx, emit, link, { title: 'Your spreadsheet was read again', body })
}

async function notifyOwner(
  tx: Tx,
  emit: Emit,
  link: Link,
  { title, ...notice }: { title: string; body: string; key?: string },
): Promise<void> {
  await notify(tx, emit, {
    dealerId: link.dealerId,
    kind: 'unreadable',
    title: `${title}: ${link.title}`,
    path: `/post/${link.postId}`,
    ...notice,
  })
}

/** Import results and corrected columns of a dealer whose account is being deleted. */
export const dropImports = (tx: Tx, dealerId: string): Promise<void> => removeImportsOf(tx, dealerId)
