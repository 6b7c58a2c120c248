import sharp from 'sharp'
import { photoWidths } from '#shared/limits.ts'
import type { Context } from '#server/platform/context.ts'
import type { JobHandlers, Schedule } from '#server/platform/jobs.ts'
import { originalKey, sizeKey } from './object-keys.ts'
import { maxPixels } from './upload-content.ts'
import type { UploadJobs } from './uploads.facts.ts'
import { findObject, type ObjectRow, removeOrphans, updateObject } from './uploads.repository.ts'

const webp = { quality: 78, effort: 2 } as const
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

/** Upright, without metadata, in every width up to its own. */
async function makeSizes(ctx: Context, object: ObjectRow, original: Buffer) {
  const upright = await sharp(original, { limitInputPixels: maxPixels }).rotate().toColourspace('srgb').toBuffer({ resolveWithObject: true }) // prettier-ignore
  const widest = Math.min(upright.info.width, photoWidths.at(-1) ?? upright.info.width)
  const widths = [...photoWidths.filter((width) => width < widest), widest]
  const heights = await Promise.all(
    widths.map(async (width) => {
      const { data, info } = await sharp(upright.data)
        .resize({ width })
        .webp(webp)
        .toBuffer({ resolveWithObject: true })
      await ctx.storage.put(sizeKey(object.id, width), data, 'image/webp')
      return info.height
    }),
  )
  return { widths, width: widest, height: heights.at(-1) ?? null, contentType: 'image/webp' }
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
