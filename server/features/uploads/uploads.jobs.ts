import { settleAttachments } from '#server/features/comments/comments.service.ts'
import { dropPhoto } from '#server/features/posts/posts-changes.service.ts'
import { settleAvatar } from '#server/features/dealers/avatar.service.ts'
import type { Context } from '#server/platform/context.ts'
import type { JobHandlers, Schedule } from '#server/platform/jobs.ts'
import { objectPath, originalKey, sizeKey } from './object-keys.ts'
import type { UploadJobs } from './uploads.events.ts'
import { findObject, listAudience, type ObjectRow, removeOrphans, updateUnfinished } from './uploads.repository.ts'

const orphanMs = 24 * 3_600_000
const orphanBatch = 200
const hourMs = 3_600_000

export const uploadsJobs: JobHandlers<UploadJobs> = {
  'object.process': {
    queue: 'media',
    async handle(ctx, { objectId }, run) {
      const object = await findObject(ctx.db, objectId)
      if (object?.state !== 'stored') return
      const { dealerId } = object
      const made = await makeSizes(ctx, object)
      const [state, error] = 'error' in made ? (['failed', made.error] as const) : (['ready', null] as const)
      let kept = true
      await run.complete(async (tx, emit) => {
        kept = await updateUnfinished(tx, objectId, { state, error, ...made })
        if (!kept) return
        if (object.kind === 'avatar') await settleAvatar(tx, emit, { objectId, dealerId, error })
        if (error !== null) await dropPhoto(tx, emit, objectPath(objectId), error)
        await settleAttachments(tx, emit, objectId)
        emit('object.changed', { objectId, dealerId, state, error, ...(await listAudience(tx, objectId)) })
      })
      // Given up while it was worked on: its sizes have no row that could be swept.
      await (kept ? ctx.storage.remove(originalKey(objectId)) : ctx.storage.removeObject(objectId))
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

/** Stores the picture in its sizes; answers what its row says of them, or why there are none. */
async function makeSizes(ctx: Context, { id, kind }: ObjectRow) {
  const original = await ctx.storage.read(originalKey(id))
  if (original === undefined) return { error: 'This picture was not uploaded completely' }
  // Here and not above: a process that only answers calls never loads what decodes pictures.
  const { PictureRefused, readPicture } = await import('./picture-sizes.ts')
  try {
    const { width, height, widths, encode } = await readPicture(original, { square: kind === 'avatar' })
    for (const wide of widths) await ctx.storage.put(sizeKey(id, wide), await encode(wide), 'image/webp')
    return { width, height, widths, contentType: 'image/webp' }
  } catch (error) {
    if (error instanceof PictureRefused) return { error: error.message }
    throw error
  }
}
