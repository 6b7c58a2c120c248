import { randomBytes } from 'node:crypto'
import type { Readable } from 'node:stream'
import { photoMaxBytes, photoWidths } from '#shared/limits.ts'
import type { ObjectKind, ObjectState, ObjectStatus, UploadRequest } from '#shared/schemas/uploads.ts'
import { isWebAddress } from '#shared/web-address.ts'
import { badRequest, forbidden, notFound, unsupportedMedia } from '#server/errors.ts'
import type { Context } from '#server/platform/process/context.ts'
import type { Db, Tx } from '#server/platform/database/db.ts'
import type { Actor } from '#server/platform/session/session.ts'
import type { Emit } from '#server/platform/database/transact.ts'
import { objectPath, originalKey, sizeKey } from './object-keys.ts'
import { readBody, sniff } from './upload-content.ts'
import { readTerms, signTerms } from './upload-ticket.ts'
import {
  attachOwnObjects,
  findLastAvatar,
  findObject,
  findVisible,
  insertLinkedObject,
  insertObject,
  listReadyOf,
  type ObjectRow,
  releaseOwnObjects,
  removeSourcesOf,
  removeUnfinishedAvatars,
  updateUnfinished,
} from './uploads.repository.ts'

const uploadLimit = { name: 'uploads', max: 100, seconds: 3_600 }
const ticketMs = 15 * 60_000

const objectUrl = /^\/api\/objects\/([0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12})$/

/** Creates an upload and returns its signed URL parameters. @throws 429 after 100 uploads in an hour */
export async function allowUpload(
  ctx: Context,
  actor: Actor,
  request: UploadRequest,
): Promise<{ objectId: string; query: string }> {
  await ctx.limiter.consume(uploadLimit, actor.dealerId)
  const objectId = timeId(ctx.now())
  const kind: ObjectKind = request?.kind ?? 'photo'
  await insertObject(ctx.db, { id: objectId, dealerId: actor.dealerId, kind })
  const query = signTerms(ctx.config.secret, {
    objectId,
    maxBytes: request?.bytes ?? photoMaxBytes,
    contentType: request?.contentType,
    expiresAt: ctx.now().getTime() + ticketMs,
  })
  return { objectId, query }
}

export interface IncomingFile {
  objectId: string
  query: { expires: number; max: number; type?: string; signature: string }
  contentType: string
  declaredBytes: number | undefined
  body: Readable
}

/**
 * Stores an uploaded file. The signed URL is the permission. The client may send the file again until its job has finished.
 * @throws 403 if the URL was altered or has expired; 404 if the upload does not exist; 413 if it is too large; 415 if its type is wrong
 */
export async function receiveFile(ctx: Context, file: IncomingFile): Promise<void> {
  const terms = readTerms(ctx.config.secret, file.objectId, file.query, ctx.now())
  if (terms === undefined) throw forbidden('This upload link is no longer valid. Please choose the file again')
  const object = await findObject(ctx.db, file.objectId)
  if (object === undefined) throw notFound('This upload')
  const { kind } = object
  const declared = file.contentType.split(';')[0]?.trim().toLowerCase() ?? ''
  if (terms.contentType !== undefined && declared !== terms.contentType)
    throw unsupportedMedia('This is not the file the upload was started for')
  // Some browsers send no type for a file without an extension. Then only the content decides.
  const isUntyped = declared === '' || declared === 'application/octet-stream'
  if (kind === 'photo' && !isUntyped && !declared.startsWith('image/'))
    throw unsupportedMedia('Please select only image files')
  const content = await readBody(file.body, file.declaredBytes, terms.maxBytes)
  await storeContent(ctx, object, content, sniff(content, kind))
}

/** Stores a file. Documents are ready at once; pictures are ready after their job. */
async function storeContent(
  ctx: Context,
  { id, dealerId }: Pick<ObjectRow, 'id' | 'dealerId'>,
  content: Buffer,
  contentType: string,
): Promise<void> {
  // A body may take minutes to arrive. If the object is ready by then, it must not change.
  if ((await findObject(ctx.db, id))?.state === 'ready') return
  await ctx.storage.put(originalKey(id), content, contentType)
  const isPicture = contentType.startsWith('image/')
  const isFirst = await ctx.transact(async (tx, emit) => {
    const state: ObjectState = isPicture ? 'stored' : 'ready'
    const change = { state, contentType, bytes: content.length, storedAt: ctx.now(), error: null }
    if (!(await updateUnfinished(tx, id, change))) return false
    if (isPicture) await emit.job('object.process', { objectId: id }, { uniqueKey: id })
    emit('object.changed', { objectId: id, dealerId, state, error: null, postIds: [], dealerIds: [] })
    return true
  })
  if (isFirst) return
  // Another upload to the same URL was faster. Its job has removed its original, because originals may contain where a photo was taken.
  const ready = await findObject(ctx.db, id)
  if (ready?.contentType?.startsWith('image/') ?? true) await ctx.storage.remove(originalKey(id))
}

/** Finds a file. Dealers who wait for approval see only their own files. @throws 404 if the reader cannot see the file */
export async function readFile(ctx: Context, actor: Actor, objectId: string): Promise<ObjectRow> {
  const object = await findVisible(ctx.db, objectId, actor)
  if (object === undefined || (!actor.admitted && object.dealerId !== actor.dealerId)) throw notFound('This file')
  return object
}

/** @throws 404 if the reader cannot see the file */
export async function readStatus(ctx: Context, actor: Actor, objectId: string): Promise<ObjectStatus> {
  const object = await readFile(ctx, actor, objectId)
  return { ...toStatus(object), error: object.dealerId === actor.dealerId ? object.error : null }
}

/** @throws 404 if the file does not exist, belongs to another dealer, or is not ready */
export async function readOwnFile(ctx: Context, actor: Actor, objectId: string): Promise<Buffer> {
  const object = await findObject(ctx.db, objectId)
  if (object === undefined || object.dealerId !== actor.dealerId || object.state !== 'ready')
    throw notFound('This file')
  const content = await ctx.storage.read(originalKey(object.id))
  if (content === undefined) throw notFound('This file')
  return content
}

/**
 * Attaches uploads and returns their paths. Downloads links once, so that their server neither sees readers nor changes the content.
 * @throws 400 if an upload belongs to another dealer, is not finished or has the wrong type, or if a URL is invalid
 */
export async function attachUrls(
  tx: Tx,
  emit: Emit,
  { dealerId, kind, now }: { dealerId: string; kind: 'photo' | 'attachment'; now: Date },
  urls: readonly string[],
): Promise<string[]> {
  const parsed = urls.map((url) => ({ url, objectId: objectIdOf(url) }))
  const ids = parsed.flatMap(({ objectId }) => objectId ?? [])
  const attached = new Set(ids.length === 0 ? [] : await attachOwnObjects(tx, { dealerId, kind }, ids))
  const stored: string[] = []
  for (const { url, objectId } of parsed) {
    if (objectId !== undefined && !attached.has(objectId))
      throw badRequest('A photo did not finish uploading. Please remove it and add it again')
    stored.push(objectPath(objectId ?? (await queueDownload(tx, emit, { dealerId, kind, url, now }))))
  }
  return stored
}

const linksLimit = { name: 'links', max: 60, seconds: 3_600 }

/** Limits requests with external links, which the server downloads. @throws 429 after 60 in an hour */
export async function allowLinks(ctx: Context, actor: Actor, urls: readonly string[]): Promise<void> {
  if (urls.some((url) => objectIdOf(url) === undefined)) await ctx.limiter.consume(linksLimit, actor.dealerId)
}

/** Queues the download of a link. Returns the new object's id. @throws 400 if the link is not a valid web address */
async function queueDownload(
  tx: Tx,
  emit: Emit,
  { now, ...link }: { dealerId: string; kind: ObjectKind; url: string; now: Date },
): Promise<string> {
  if (!isWebAddress(link.url)) throw badRequest('A photo has an invalid address')
  const id = timeId(now)
  await insertLinkedObject(tx, { id, ...link })
  await emit.job('object.fetch', { objectId: id })
  return id
}

/** Marks an attachment as used and returns its path. Idempotent. @throws 400 unless `url` is the dealer's finished picture or PDF */
export async function attachFile(db: Db, dealerId: string, url: string): Promise<string> {
  const id = objectIdOf(url)
  const attached = id === undefined ? [] : await attachOwnObjects(db, { dealerId, kind: 'attachment' }, [id])
  if (id === undefined || attached.length === 0)
    throw badRequest('The attachment did not finish uploading. Please add it again')
  return objectPath(id)
}

/** Stores an avatar and returns its path. A job later makes its sizes and updates the profile. */
export async function storeAvatar(ctx: Context, dealerId: string, content: Buffer): Promise<string> {
  const contentType = sniff(content, 'avatar')
  const id = timeId(ctx.now())
  await insertObject(ctx.db, { id, dealerId, kind: 'avatar' })
  await storeContent(ctx, { id, dealerId }, content, contentType)
  return objectPath(id)
}

export async function readLastAvatar(db: Db, dealerId: string): Promise<ObjectStatus | undefined> {
  const object = await findLastAvatar(db, dealerId)
  return object === undefined ? undefined : toStatus(object)
}

export const removeFiles = (emit: Emit, objectIds: string[]): Promise<void> =>
  emit.jobs(
    'object.remove',
    objectIds.map((objectId) => ({ payload: { objectId } })),
  )

export async function dropUnfinishedAvatars(tx: Tx, emit: Emit, dealerId: string): Promise<void> {
  await removeFiles(emit, await removeUnfinishedAvatars(tx, dealerId))
}

/** Marks the dealer's files as unused if no other content shows them. A sweep removes them later. */
export async function releaseUrls(tx: Tx, dealerId: string, urls: readonly string[]): Promise<void> {
  const ids = urls.flatMap((url) => objectIdOf(url) ?? [])
  if (ids.length > 0) await releaseOwnObjects(tx, dealerId, ids)
}

export async function* filesOf(ctx: Context, dealerId: string) {
  for (let after: string | undefined; ;) {
    const rows = await listReadyOf(ctx.db, dealerId, after)
    for (const { id, contentType, widths } of rows) {
      const widest = widths.toSorted((a, b) => b - a)[0]
      const key = widest === undefined ? originalKey(id) : sizeKey(id, widest)
      yield { id, contentType: contentType ?? '', open: () => ctx.storage.open(key) }
    }
    after = rows.at(-1)?.id
    if (after === undefined) return
  }
}

export const dropSources = (tx: Tx, dealerId: string): Promise<void> => removeSourcesOf(tx, dealerId)

function objectIdOf(url: string): string | undefined {
  const path = URL.canParse(url, 'http://localhost') ? new URL(url, 'http://localhost').pathname : ''
  return objectUrl.exec(path)?.[1]
}

/** Returns the narrowest size of at least `wanted` pixels, or the widest if none is wide enough. */
export function chooseWidth(widths: readonly number[], wanted: number): number | undefined {
  const sorted = widths.toSorted((a, b) => a - b)
  return sorted.find((width) => width >= wanted) ?? sorted.at(-1)
}

export const defaultWidth = photoWidths[1]

function toStatus(object: ObjectRow): ObjectStatus {
  const { id, state, width, height, error } = object
  return { id, state, url: objectPath(id), width, height, error }
}

/** Creates a UUIDv7, which sorts by time and has 74 random bits. */
function timeId(now: Date): string {
  const bytes = randomBytes(16)
  bytes.writeUIntBE(now.getTime(), 0, 6)
  bytes[6] = 0x70 | ((bytes[6] ?? 0) & 0x0f)
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
