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
      // Given up after a run that was killed had begun: the sizes it made have no row.
      if (object === undefined) await ctx.storage.removeObject(objectId)
      if (object?.state !== 'stored') return
      const { dealerId } = object
      const made = await makeSizes(ctx, object)
      const [state, error] = 'error' in made ? (['failed', made.error] as const) : (['ready', null] as const)
      let kept = false
      await run.complete(async (tx, emit) => {
        kept = await updateUnfinished(tx, objectId, { state, error, ...made })
        // Given up while it was worked on.
        if (!kept) return emit.job('object.remove', { objectId })
        if (object.kind === 'avatar') await settleAvatar(tx, emit, { objectId, dealerId, error })
        if (error !== null) await dropPhoto(tx, emit, objectPath(objectId), error)
        await settleAttachments(tx, emit, objectId)
        emit('object.changed', { objectId, dealerId, state, error, ...(await listAudience(tx, objectId)) })
      })
      // Otherwise another run has done it, or the one for what was sent meanwhile follows.
      if (kept) await ctx.storage.remove(originalKey(objectId))
    },
  },
  'object.remove': {
    queue: 'default',
    handle: (ctx, { objectId }) => ctx.storage.removeObject(objectId),
  },
}

/** Unused uploads leave after a day, with their files. */
export const uploadsSchedules: Schedule[] = [{ name: 'objects.sweep', everyMs: hourMs, run: sweepOrphans }]

export async function sweepOrphans(ctx: Context): Promise<void> {
  for (;;) {
    const count = await ctx.transact(async (tx, emit) => {
      const ids = await removeOrphans(tx, orphanMs, orphanBatch)
      for (const objectId of ids) await emit.job('object.remove', { objectId })
      return ids.length
    })
    if (count < orphanBatch) return
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
