import type { Updateable } from 'kysely'
import { attachmentMaxBytes, photoMaxBytes } from '#shared/limits.ts'
import type { ObjectKind, ObjectState } from '#shared/schemas/uploads.ts'
import type { Objects } from '#server/db/schema.ts'
import { AppError } from '#server/errors.ts'
import type { Context } from '#server/platform/process/context.ts'
import type { Tx } from '#server/platform/database/db.ts'
import { FetchRefused, guardedFetch } from '#server/platform/guarded-fetch.ts'
import type { JobHandlers, Schedule } from '#server/platform/jobs/jobs.ts'
import type { Emit } from '#server/platform/database/transact.ts'
import { objectPath, originalKey, sizeKey } from './object-keys.ts'
import type { UploadJobs } from './uploads.events.ts'
import { sniff } from './upload-content.ts'
import { removeFiles } from './uploads.service.ts'
import {
  findObject,
  findSource,
  listAudience,
  type ObjectRow,
  removeOrphans,
  updateUnfinished,
} from './uploads.repository.ts'

type Outcome = Updateable<Objects> & { state: ObjectState; error: string | null }

const orphanMs = 24 * 3_600_000
const orphanBatch = 200
const hourMs = 3_600_000

export interface FinishedUpload {
  objectId: string
  kind: ObjectKind
  dealerId: string
  url: string
  error: string | null
}

/** Updates the content that shows an upload. Runs in the transaction that marks the upload as ready or failed. */
export type OnFinished = (tx: Tx, emit: Emit, upload: FinishedUpload) => Promise<void>

export const uploadsJobs = (onFinished: readonly OnFinished[]): JobHandlers<UploadJobs> => ({
  'object.process': {
    queue: 'media',
    async handle(ctx, { objectId }, run) {
      const object = await findObject(ctx.db, objectId)
      // The upload was deleted after an earlier run was killed. Remove the sizes that the earlier run made.
      if (object === undefined) await ctx.storage.removeObject(objectId)
      if (object?.state !== 'stored') return
      const made = await makeSizes(ctx, object)
      const [state, error] = 'error' in made ? (['failed', made.error] as const) : (['ready', null] as const)
      let kept = false
      await run.complete(async (tx, emit) => {
        kept = await finish(tx, emit, onFinished, object, { state, error, ...made })
      })
      // If `kept` is false, another run has already removed the original, or a later run still needs it.
      if (kept) await ctx.storage.remove(originalKey(objectId))
    },
    gaveUp: (tx, emit, { objectId }) =>
      finishFailed(tx, emit, onFinished, objectId, 'This picture could not be processed'),
  },
  'object.fetch': {
    queue: 'default',
    async handle(ctx, { objectId }, run) {
      const [object, url] = await Promise.all([findObject(ctx.db, objectId), findSource(ctx.db, objectId)])
      if (object?.state !== 'awaited' || url === undefined) return
      const found = await fetchLinked(ctx, object, url)
      if ('content' in found) await ctx.storage.put(originalKey(objectId), found.content, found.contentType)
      await run.complete(async (tx, emit) => {
        if ('error' in found)
          return void (await finish(tx, emit, onFinished, object, { state: 'failed', error: found.error }))
        const { contentType, content } = found
        const isPicture = contentType.startsWith('image/')
        const state = isPicture ? 'stored' : 'ready'
        const storedAt = ctx.now()
        const kept = await finish(tx, emit, onFinished, object, {
          state,
          contentType,
          bytes: content.length,
          storedAt,
          error: null,
        })
        if (kept && isPicture) await emit.job('object.process', { objectId }, { uniqueKey: objectId })
      })
    },
    gaveUp: (tx, emit, { objectId }) => finishFailed(tx, emit, onFinished, objectId, 'The link could not be fetched'),
  },
  'object.remove': {
    queue: 'default',
    handle: (ctx, { objectId }) => ctx.storage.removeObject(objectId),
  },
})

/** Saves and publishes the outcome. If the upload is already ready or was deleted, queues the removal of its files and returns false. */
async function finish(
  tx: Tx,
  emit: Emit,
  onFinished: readonly OnFinished[],
  { id, kind, dealerId }: ObjectRow,
  change: Outcome,
): Promise<boolean> {
  const { state, error } = change
  if (!(await updateUnfinished(tx, id, change))) {
    await emit.job('object.remove', { objectId: id })
    return false
  }
  for (const act of onFinished) await act(tx, emit, { objectId: id, kind, dealerId, url: objectPath(id), error })
  emit('object.changed', { objectId: id, dealerId, state, error, ...(await listAudience(tx, id)) })
  return true
}

async function finishFailed(
  tx: Tx,
  emit: Emit,
  onFinished: readonly OnFinished[],
  objectId: string,
  error: string,
): Promise<void> {
  const object = await findObject(tx, objectId)
  if (object === undefined || object.state === 'ready') return
  await finish(tx, emit, onFinished, object, { state: 'failed', error })
  await emit.job('object.remove', { objectId })
}

const linkTimeoutMs = 20_000
const linkMaxBytes: Partial<Record<ObjectKind, number>> = { photo: photoMaxBytes, attachment: attachmentMaxBytes }

async function fetchLinked(
  ctx: Context,
  { kind }: ObjectRow,
  url: string,
): Promise<{ content: Buffer; contentType: string } | { error: string }> {
  try {
    const { content } = await guardedFetch(url, {
      accept: 'image/*, */*',
      maxBytes: linkMaxBytes[kind] ?? photoMaxBytes,
      timeoutMs: linkTimeoutMs,
      privateHosts: ctx.config.fetchPrivateHosts,
    })
    return { content, contentType: sniff(content, kind) }
  } catch (error) {
    if (error instanceof FetchRefused) return { error: error.message }
    if (error instanceof AppError) return { error: 'The link is not a picture' }
    throw error
  }
}

/** Removes uploads that were not used within a day. */
export const uploadsSchedules: Schedule[] = [{ name: 'objects.sweep', everyMs: hourMs, run: sweepOrphans }]

export async function sweepOrphans(ctx: Context): Promise<void> {
  for (;;) {
    const count = await ctx.transact(async (tx, emit) => {
      const ids = await removeOrphans(tx, orphanMs, orphanBatch)
      await removeFiles(emit, ids)
      return ids.length
    })
    if (count < orphanBatch) return
  }
}

async function makeSizes(ctx: Context, { id, kind }: ObjectRow) {
  const original = await ctx.storage.read(originalKey(id))
  if (original === undefined) return { error: 'This picture did not finish uploading' }
  // Import the decoder here, so that a process that only answers requests never loads it.
  const { PictureRefused, readPicture } = await import('./picture-sizes.ts')
  try {
    const { width, height, widths, tint, encode } = await readPicture(original, { square: kind === 'avatar' })
    for (const wide of widths) await ctx.storage.put(sizeKey(id, wide), await encode(wide), 'image/webp')
    return { width, height, widths, tint, contentType: 'image/webp' }
  } catch (error) {
    if (error instanceof PictureRefused) return { error: error.message }
    throw error
  }
}
