import { createHash } from 'node:crypto'
import { vehiclesPerPost } from '#shared/limits.ts'
import type { SheetPreview, SheetPreviewRequest } from '#shared/schemas/posting.ts'
import type { NewVehicle } from '#shared/schemas/posts.ts'
import { badRequest } from '#server/errors.ts'
import { requirePosting } from '#server/features/entitlements/entitlements.service.ts'
import { readOwnFile } from '#server/features/uploads/uploads.service.ts'
import type { Context } from '#server/platform/process/context.ts'
import { FetchRefused, guardedFetch } from '#server/platform/guarded-fetch.ts'
import type { Actor } from '#server/platform/session/session.ts'
import { SheetRefused } from './sheets/sheet-bounds.ts'
import type { SheetChoices } from './sheet-choice.ts'
import { fileLink } from './sheets/sheet-links.ts'
import { readInThread } from './sheets/sheet-reading.ts'
import type { SheetContent } from './sheets/sheet-rows.ts'
import { findPlace, listColumnChoices, removeColumnChoices, saveColumnChoice } from './posting.repository.ts'

const fileMaxBytes = 10 * 1024 * 1024
const fetchTimeoutMs = 20_000
const vehiclesPerSheet = 2_000
export const sampleSize = 10
const previewLimit = { name: 'sheet-previews', max: 30, seconds: 3_600 }
const correctionLimit = { name: 'sheet-corrections', max: 120, seconds: 3_600 }

/**
 * Previews the vehicles in the dealer's uploaded file or in a linked sheet. Saves the dealer's column corrections.
 * @throws 404 if the file does not exist; 400 if the sheet cannot be read; 402 if posting requires a plan; 429 after 30 previews or 120
 * corrections in an hour; 503 while too many sheets are being read
 */
export async function previewSheet(
  ctx: Context,
  actor: Actor,
  { objectId, url, columns }: SheetPreviewRequest,
): Promise<SheetPreview> {
  await requirePosting(ctx, actor.dealerId)
  if ((objectId === undefined) === (url === undefined)) throw badRequest('Send either a file or a link')
  await ctx.limiter.consume(columns === undefined ? previewLimit : correctionLimit, actor.dealerId)
  const choices = { now: columns, remembered: await listColumnChoices(ctx.db, actor.dealerId) }
  const sheet = await orRefused(() =>
    objectId === undefined
      ? previewLink(ctx, actor, { url: url ?? '', choices })
      : previewFile(ctx, actor, { objectId, choices }),
  )
  await remember(ctx, actor.dealerId, sheet, columns)
  const { vehicles, faults, summary } = sheet
  return {
    ...countsOf(vehicles),
    withVin: vehicles.filter(({ vin }) => vin !== undefined).length,
    vehiclesKey: vehiclesKeyOf(vehicles),
    vehicles: objectId === undefined ? vehicles.slice(0, sampleSize) : vehicles,
    faults,
    summary,
  }
}

export const vehiclesKeyOf = (vehicles: readonly NewVehicle[]): string =>
  createHash('sha256').update(JSON.stringify(vehicles)).digest('hex')

export const countsOf = (vehicles: readonly NewVehicle[]): { found: number; priced: number } => ({
  found: vehicles.length,
  priced: vehicles.filter(({ price }) => price !== undefined).length,
})

async function orRefused<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof SheetRefused || error instanceof FetchRefused) throw badRequest(error.message)
    throw error
  }
}

async function previewFile(
  ctx: Context,
  actor: Actor,
  { objectId, choices }: { objectId: string; choices: SheetChoices },
): Promise<SheetContent> {
  const content = await readOwnFile(ctx, actor, objectId)
  return readInThread({ content, place: { city: '', state: '' }, vehiclesMax: vehiclesPerPost, choices })
}

async function previewLink(
  ctx: Context,
  actor: Actor,
  { url, choices }: { url: string; choices: SheetChoices },
): Promise<SheetContent> {
  const content = await fetchFile(ctx, url)
  const place = await findPlace(ctx.db, actor.dealerId)
  return readInThread({ content, place, vehiclesMax: vehiclesPerSheet, choices })
}

async function remember(
  ctx: Context,
  dealerId: string,
  { headings }: SheetContent,
  columns: SheetPreviewRequest['columns'],
): Promise<void> {
  if (columns === undefined) return
  await ctx.transact(async (tx) => {
    await removeColumnChoices(tx, dealerId, headings.all)
    if (Object.keys(columns).length > 0) await saveColumnChoice(tx, dealerId, { headings: headings.used, columns })
  })
}

interface SheetLink {
  spreadsheetUrl: string
  dealerId: string
  city: string
  state: string
}

/** Downloads and reads a link with the dealer's column corrections. On failure, returns an error with a message for the owner. */
export async function readLink(ctx: Context, link: SheetLink): Promise<SheetContent | SheetRefused | FetchRefused> {
  try {
    const content = await fetchFile(ctx, link.spreadsheetUrl)
    const place = { city: link.city, state: link.state }
    const choices = { remembered: await listColumnChoices(ctx.db, link.dealerId) }
    const order = { content, place, vehiclesMax: vehiclesPerSheet, choices }
    const sheet = await readInThread(order, { isBackground: true })
    return sheet.vehicles.length > 0
      ? sheet
      : new SheetRefused(
          'No vehicles were found in this sheet. Check that it has columns for VIN, year, make and model',
        )
  } catch (error) {
    if (error instanceof SheetRefused || error instanceof FetchRefused) return error
    throw error
  }
}

async function fetchFile(ctx: Context, url: string): Promise<Buffer> {
  const { content } = await guardedFetch(fileLink(url), {
    accept: 'text/csv, */*',
    maxBytes: fileMaxBytes,
    timeoutMs: fetchTimeoutMs,
    privateHosts: ctx.config.fetchPrivateHosts,
  })
  return content
}
