import { isBound } from '#shared/auction-rules.ts'
import type { SheetPreview, SheetReport } from '#shared/schemas/posting.ts'
import { vehiclesPerPost } from '#shared/limits.ts'
import { badRequest, conflict, notFound } from '#server/errors.ts'
import { requirePosting } from '#server/features/entitlements/entitlements.service.ts'
import { requireMayTrade } from '#server/features/dealers/licenses.service.ts'
import { emitEdit, holdPost, takeOverVehicles } from '#server/features/posts/posts-changes.service.ts'
import { findHeld, holdAuction } from '#server/features/sale/sale.service.ts'
import { notify } from '#server/features/notifications/notifications.service.ts'
import { readOwnFile } from '#server/features/uploads/uploads.service.ts'
import type { Context } from '#server/platform/context.ts'
import type { Tx } from '#server/platform/db.ts'
import { FetchRefused, guardedFetch } from '#server/platform/guarded-fetch.ts'
import type { JobRun } from '#server/platform/jobs.ts'
import type { Actor } from '#server/platform/session.ts'
import type { Emit } from '#server/platform/transact.ts'
import { SheetRefused } from './sheets/sheet-bounds.ts'
import { fileLink } from './sheets/sheet-links.ts'
import { readApart } from './sheets/sheet-reading.ts'
import type { SheetContent } from './sheets/sheet-rows.ts'
import { findImport, findLink, removeImportsOf, saveImport } from './posting.repository.ts'

const fileMaxBytes = 10 * 1024 * 1024
const fetchTimeoutMs = 20_000
/** Maximum for a linked sheet; higher than for a manual post. */
const vehiclesPerSheet = 2_000
const previewLimit = { name: 'sheet-previews', max: 30, seconds: 3_600 }
const repeatLimit = { name: 'sheet-repeats', max: 30, seconds: 3_600 }
const hiddenMessage = 'A moderator hid this post. Try again once it is visible'
const boundMessage = 'This auction has a bid, so its vehicles cannot be changed'
const overMessage = 'This post is not active, so its vehicles cannot be changed. Relist it first'
const waiting = { state: 'waiting', found: 0, faults: [], summary: null, error: null } as const

async function requestImport(tx: Tx, emit: Emit, postId: string): Promise<void> {
  await saveImport(tx, postId, { ...waiting, faults: [] })
  await emit.job('sheet.import', { postId }, { uniqueKey: postId })
}

/** Reads the import report. @throws 404 except for the owner, and without an import */
export async function readImport(ctx: Context, actor: Actor, postId: string): Promise<SheetReport> {
  const link = await findLink(ctx.db, postId)
  const report = link?.dealerId === actor.dealerId ? await findImport(ctx.db, postId) : undefined
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
    if (isBound(await holdAuction(tx, postId, actor.dealerId))) throw conflict(boundMessage)
    if ((await holdPost(tx, postId)).status !== 'active') throw conflict(overMessage)
    await requestImport(tx, emit, postId)
  })
  return readImport(ctx, actor, postId)
}

/**
 * Previews the vehicles of the dealer's uploaded file, up to the maximum of a post.
 * @throws 404, 400 with the reason, 402 as for posting, 429 above 30 an hour, 503 while too many are being read
 */
export async function previewSheet(ctx: Context, actor: Actor, objectId: string): Promise<SheetPreview> {
  await requirePosting(ctx, actor.dealerId)
  await ctx.limiter.consume(previewLimit, actor.dealerId)
  const content = await readOwnFile(ctx, actor, objectId)
  try {
    return await readApart({ content, place: { city: '', state: '' }, vehiclesMax: vehiclesPerPost })
  } catch (error) {
    if (error instanceof SheetRefused) throw badRequest(error.message)
    throw error
  }
}

/** The import job. Replaces the post's vehicles. Problems with the link are reported to the owner, not retried. */
export async function importSheet(ctx: Context, postId: string, run: JobRun): Promise<void> {
  const link = await findLink(ctx.db, postId)
  if (link === undefined) return
  const content = await fetchSheet(ctx, link)
  await run.complete(async (tx, emit) => {
    const held = await holdAuction(tx, postId, link.dealerId)
    const post = await findHeld(tx, postId)
    // Bidding may have been switched on while waiting for the lock.
    const auction = held ?? (await holdAuction(tx, postId, link.dealerId))
    // The post was deleted during the download.
    if (post === undefined && (await findLink(tx, postId)) === undefined) return
    const refusal = content instanceof Error ? content.message : refusalOf(post?.status, isBound(auction))
    if (content instanceof Error || refusal !== undefined) return failImport(tx, emit, link, refusal ?? '')
    const { vehicles, faults, summary } = content
    const found = await takeOverVehicles(tx, emit, postId, { vehicles, auction })
    await saveImport(tx, postId, { state: 'done', found, faults, summary, error: null })
  })
}

/** Checks for changes during the download: hidden or inactive posts, and lots with a bid, stay as they are. */
function refusalOf(status: string | undefined, isBoundLot: boolean): string | undefined {
  if (status === undefined) return hiddenMessage
  if (isBoundLot) return boundMessage
  return status === 'active' ? undefined : overMessage
}

type Link = NonNullable<Awaited<ReturnType<typeof findLink>>>

async function failImport(tx: Tx, emit: Emit, link: Link, reason: string): Promise<void> {
  await saveImport(tx, link.postId, { state: 'failed', found: 0, faults: [], summary: null, error: reason })
  await emitEdit(tx, emit, link.postId)
  await notifyFailed(tx, emit, link, reason)
}

export async function giveUpImport(tx: Tx, emit: Emit, postId: string): Promise<void> {
  const link = await findLink(tx, postId)
  if (link !== undefined) await failImport(tx, emit, link, 'The spreadsheet could not be read. Try again later')
}

/** Sends one notice per sheet, because the seller decides whether to try again. */
async function notifyFailed(tx: Tx, emit: Emit, link: Link, reason: string): Promise<void> {
  await notify(tx, emit, {
    dealerId: link.dealerId,
    kind: 'unreadable',
    title: `Your spreadsheet could not be read: ${link.title}`,
    body: reason,
    path: `/post/${link.postId}`,
    key: `sheet:${link.postId}`,
  })
}

async function fetchSheet(
  ctx: Context,
  link: { spreadsheetUrl: string; city: string; state: string },
): Promise<SheetContent | SheetRefused | FetchRefused> {
  try {
    const { content } = await guardedFetch(fileLink(link.spreadsheetUrl), {
      accept: 'text/csv, */*',
      maxBytes: fileMaxBytes,
      timeoutMs: fetchTimeoutMs,
      privateHosts: ctx.config.fetchPrivateHosts,
    })
    const place = { city: link.city, state: link.state }
    const sheet = await readApart({ content, place, vehiclesMax: vehiclesPerSheet }, { patient: true })
    return sheet.vehicles.length > 0 ? sheet : new SheetRefused('No row of the sheet describes a vehicle')
  } catch (error) {
    if (error instanceof SheetRefused || error instanceof FetchRefused) return error
    throw error
  }
}

/** Import results of a dealer whose account is being deleted. */
export const dropImports = (tx: Tx, dealerId: string): Promise<void> => removeImportsOf(tx, dealerId)
