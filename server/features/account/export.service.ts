import { readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { dataExportsPerDay } from '#shared/constants/account.ts'
import type { DataExport } from '#shared/schemas/account.ts'
import { formatDate } from '#shared/format.ts'
import { conflict, notFound } from '#server/errors.ts'
import { findDealer, findTimeZone, lockDealerShared } from '#server/features/dealers/dealers.service.ts'
import { notify } from '#server/features/notifications/notifications.service.ts'
import type { Context } from '#server/platform/process/context.ts'
import { brokenConstraint, type Tx } from '#server/platform/database/db.ts'
import { isId } from '#server/platform/ids.ts'
import type { JobRun } from '#server/platform/jobs/jobs.ts'
import type { Actor } from '#server/platform/session/session.ts'
import type { Emit } from '#server/platform/database/transact.ts'
import {
  findExport,
  findPreparing,
  finishExport,
  hasExport,
  insertExport,
  removeExport,
  removeOverExports,
} from './export.repository.ts'
import { removeDraft, writeExport } from './export-archive.ts'

const perDay = { name: 'data-export', max: dataExportsPerDay, seconds: 86_400 }
const expiredBatch = 100

const fileKey = (id: string) => `${id}/data.zip`

const draftsFolder = (ctx: Context) => join(resolve(ctx.config.dataDir), 'exports')
const draftEnd = '.zip'
const draftOf = (ctx: Context, id: string) => join(draftsFolder(ctx), id + draftEnd)

export const lastExport = async (ctx: Context, actor: Actor): Promise<DataExport | null> =>
  (await findExport(ctx.db, actor.dealerId)) ?? null

/** @throws 409 if an export is already in progress; 429 if the daily limit is exceeded */
export async function requestExport(ctx: Context, actor: Actor): Promise<DataExport> {
  const busy = () => conflict('Your data export is already being prepared')
  if ((await findExport(ctx.db, actor.dealerId))?.state === 'preparing') throw busy()
  await ctx.limiter.consume(perDay, actor.dealerId)
  try {
    return await ctx.transact(async (tx, emit) => {
      await lockDealerShared(tx, actor.dealerId)
      await dropFile(emit, await removeExport(tx, actor.dealerId))
      const made = await insertExport(tx, actor.dealerId)
      await emit.job('export.make', { exportId: made.id })
      return made
    })
  } catch (error) {
    if (brokenConstraint(error) === 'data_exports_dealer_id_key') throw busy()
    throw error
  }
}

/** @throws 404 if the export belongs to another dealer, is unfinished or has expired */
export async function openExport(ctx: Context, actor: Actor, id: string) {
  const found = await findExport(ctx.db, actor.dealerId)
  const file = found?.id === id && found.state === 'ready' ? await ctx.storage.open(fileKey(id)) : undefined
  if (found === undefined || file === undefined) throw notFound('This file')
  return { ...file, name: `lanewire-data-${found.requestedAt.slice(0, 'YYYY-MM-DD'.length)}.zip` }
}

export async function makeExport(ctx: Context, exportId: string, run: JobRun): Promise<void> {
  const wanted = await findPreparing(ctx.db, exportId)
  const dealer = wanted && (await findDealer(ctx.db, wanted.dealerId))
  const draft = draftOf(ctx, exportId)
  if (dealer === undefined) return removeOrphanedFiles(ctx, exportId, draft)
  try {
    const sizeBytes = await writeExport(ctx, { dealerId: dealer.id, email: dealer.email }, draft, run.stopping)
    await ctx.storage.putFile(fileKey(exportId), draft, 'application/zip')
    await run.complete(async (tx, emit) => {
      const made = await finishExport(tx, exportId, { sizeBytes })
      if (made === undefined) return dropFile(emit, exportId)
      const timeZone = await findTimeZone(tx, dealer.id)
      await notify(tx, emit, {
        dealerId: dealer.id,
        kind: 'account',
        title: 'Your data export is ready',
        body: `You can download it under Settings until ${made.expiresAt ? formatDate(made.expiresAt, timeZone) : ''}.`,
        path: '/settings#data',
        key: `export:${exportId}`,
      })
    })
  } finally {
    await removeDraft(draft)
  }
}

/** Removes the files that a killed run left behind, if the export has been removed since then. */
async function removeOrphanedFiles(ctx: Context, exportId: string, draft: string): Promise<void> {
  if (await hasExport(ctx.db, exportId)) return
  await removeDraft(draft)
  await ctx.storage.removeObject(exportId)
}

/** Marks the export as failed and notifies the dealer. Only the job's log contains the cause. */
export async function failExport(tx: Tx, emit: Emit, exportId: string): Promise<void> {
  const error = 'Something went wrong on our side while preparing your data.'
  const wanted = await findPreparing(tx, exportId)
  if (wanted === undefined || (await finishExport(tx, exportId, { error })) === undefined) return
  await notify(tx, emit, {
    dealerId: wanted.dealerId,
    kind: 'account',
    title: 'Your data export failed',
    body: `${error} Request it again under Settings. If it fails again, contact us.`,
    path: '/settings#data',
    key: `export:${exportId}`,
  })
}

async function dropFile(emit: Emit, id: string | undefined): Promise<void> {
  if (id !== undefined) await emit.job('object.remove', { objectId: id })
}

export async function dropExports(tx: Tx, emit: Emit, dealerId: string): Promise<void> {
  await dropFile(emit, await removeExport(tx, dealerId, true))
}

/** Removes local files that killed workers left behind. */
async function sweepDrafts(ctx: Context): Promise<void> {
  const names = await readdir(draftsFolder(ctx)).catch(() => [])
  const ids = names.filter((name) => name.endsWith(draftEnd)).map((name) => name.slice(0, -draftEnd.length))
  for (const id of ids.filter(isId))
    if ((await findPreparing(ctx.db, id)) === undefined) await removeDraft(draftOf(ctx, id))
}

export async function sweepExports(ctx: Context): Promise<void> {
  await sweepDrafts(ctx)
  for (;;) {
    const count = await ctx.transact(async (tx, emit) => {
      const ids = await removeOverExports(tx, expiredBatch)
      for (const id of ids) await dropFile(emit, id)
      return ids.length
    })
    if (count < expiredBatch) return
  }
}
