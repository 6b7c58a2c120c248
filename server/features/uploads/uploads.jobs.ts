import sharp from 'sharp'
import { photoWidths } from '#shared/limits.ts'
import { settleAttachments } from '#server/features/comments/comments.service.ts'
import { dropPhoto } from '#server/features/posts/posts-changes.service.ts'
import type { Context } from '#server/platform/context.ts'
import type { JobHandlers, Schedule } from '#server/platform/jobs.ts'
import { objectPath, originalKey, sizeKey } from './object-keys.ts'
import { maxPixels } from './upload-content.ts'
import type { UploadJobs } from './uploads.facts.ts'
import { findObject, type ObjectRow, removeOrphans, updateObject } from './uploads.repository.ts'

const webp = { quality: 78, effort: 2 } as const
const widestPhoto = Math.max(...photoWidths)
const orphanMs = 24 * 3_600_000
const orphanBatch = 200
const hourMs = 3_600_000

export const uploadsJobs: JobHandlers<UploadJobs> = {
  'object.process': {
    queue: 'media',
    async handle(ctx, { objectId }, run) {
      const object = await findObject(ctx.db, objectId)
      if (object?.state !== 'stored') return
      const original = await ctx.storage.read(originalKey(objectId))
      const made = original === undefined ? undefined : await makeSizes(ctx, object, original).catch(unreadable)
      await run.complete(async (tx, emit) => {
        const error = made === undefined ? 'This picture could not be read' : null
        const state = made === undefined ? 'failed' : 'ready'
        await updateObject(tx, objectId, { state, error, ...made })
        if (state === 'failed') await dropPhoto(tx, emit, objectPath(objectId))
        await settleAttachments(tx, emit, objectId)
        emit('object.changed', { objectId, dealerId: object.dealerId, state, error })
      })
      await ctx.storage.remove(originalKey(objectId))
    },
  },
}

/** Unused uploads leave after a day, with their files. */
export const uploadsSchedules: Schedule[] = [{ name: 'objects.sweep', everyMs: hourMs, run: sweepOrphans }]

export async function sweepOrphans(ctx: Context): Promise<void> {
  for (;;) {
    const ids = await removeOrphans(ctx.db, orphanMs, orphanBatch)
    await Promise.all(ids.map((id) => ctx.storage.removeObject(id)))
    if (ids.length < orphanBatch) return
  }
}

/** Upright, without metadata, in every width up to its own. Decoded once, at the largest size that is kept. */
async function makeSizes(ctx: Context, object: ObjectRow, original: Buffer) {
  const { data, info } = await sharp(original, { limitInputPixels: maxPixels })
    .rotate()
    .resize({ width: widestPhoto, withoutEnlargement: true })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  const raw = { width: info.width, height: info.height, channels: info.channels }
  const widths = [...photoWidths.filter((width) => width < info.width), info.width]
  for (const width of widths) {
    const picture = await sharp(data, { raw }).resize({ width }).webp(webp).toBuffer()
    await ctx.storage.put(sizeKey(object.id, width), picture, 'image/webp')
  }
  return { widths, width: info.width, height: info.height, contentType: 'image/webp' }
}

/** A broken picture stays broken: no retry. Anything else (a full disk, a lost connection) is worth another attempt. */
function unreadable(error: unknown): undefined {
  if (
    error instanceof Error &&
    /unsupported|corrupt|premature|invalid|bad seek|exceeds pixel limit/i.test(error.message)
  )
    return undefined
  throw error
}
