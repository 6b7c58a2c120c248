import { randomBytes } from 'node:crypto'
import type { Readable } from 'node:stream'
import { photoMaxBytes, photoWidths } from '#shared/limits.ts'
import type { ObjectKind, ObjectState, ObjectStatus, UploadRequest } from '#shared/schemas/uploads.ts'
import { isWebAddress } from '#shared/web-address.ts'
import { badRequest, forbidden, notFound, unsupportedMedia } from '#server/errors.ts'
import type { Context } from '#server/platform/context.ts'
import type { Db, Tx } from '#server/platform/db.ts'
import type { Actor } from '#server/platform/session.ts'
import type { Emit } from '#server/platform/transact.ts'
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

/** Allows one upload. @throws 429 above the hourly number. */
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
 * Takes the raw file of an upload URL. The URL is the permission: it was given to a signed-in dealer and expires.
 * Sending the same file again is fine until a job has finished with it.
 * @throws 403 expired or altered URL, 413 too large, 415 not what the upload is for, 404 unknown object
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
  if (kind === 'photo' && !declared.startsWith('image/')) throw unsupportedMedia('Please select only image files')
  const content = await readBody(file.body, file.declaredBytes, terms.maxBytes)
  await keepContent(ctx, object, content, sniff(content, kind))
}

/** Keeps what was sent. A document can be served from here on; a picture only when its job has made its sizes. */
async function keepContent(
  ctx: Context,
  { id, dealerId }: Pick<ObjectRow, 'id' | 'dealerId'>,
  content: Buffer,
  contentType: string,
): Promise<void> {
  // A body may take minutes to come in: what is ready by then stays as it was served.
  if ((await findObject(ctx.db, id))?.state === 'ready') return
  await ctx.storage.put(originalKey(id), content, contentType)
  await ctx.transact(async (tx, emit) => {
    const isPicture = contentType.startsWith('image/')
    const state: ObjectState = isPicture ? 'stored' : 'ready'
    const change = { state, contentType, bytes: content.length, storedAt: ctx.now(), error: null }
    if (!(await updateUnfinished(tx, id, change))) return
    if (isPicture) await emit.job('object.process', { objectId: id }, { uniqueKey: id })
    emit('object.changed', { objectId: id, dealerId, state, error: null, postIds: [], dealerIds: [] })
  })
}

/**
 * A file that the reader may see, in whichever state; who waits for an admin sees no other than their own.
 * @throws 404 for one that is not there or not theirs
 */
export async function readFile(ctx: Context, actor: Actor, objectId: string): Promise<ObjectRow> {
  const object = await findVisible(ctx.db, objectId, actor)
  if (object === undefined || (!actor.admitted && object.dealerId !== actor.dealerId)) throw notFound('This file')
  return object
}

/** How far an upload is. @throws 404 as for the file itself */
export async function readStatus(ctx: Context, actor: Actor, objectId: string): Promise<ObjectStatus> {
  const object = await readFile(ctx, actor, objectId)
  return { ...toStatus(object), error: object.dealerId === actor.dealerId ? object.error : null }
}

/** The bytes of an uploaded sheet or document of one's own. @throws 404 missing, another dealer's, or not here yet */
export async function readOwnFile(ctx: Context, actor: Actor, objectId: string): Promise<Buffer> {
  const object = await findObject(ctx.db, objectId)
  if (object === undefined || object.dealerId !== actor.dealerId || object.state !== 'ready')
    throw notFound('This file')
  const content = await ctx.storage.read(originalKey(object.id))
  if (content === undefined) throw notFound('This file')
  return content
}

/**
 * Takes the dealer's own uploads into use and answers the URLs as they are stored: ours as paths, so that they keep
 * working under another host name. What is at a web address of elsewhere is fetched once by a job, and is ours from then on: its
 * server neither sees who reads the post nor changes what it shows.
 * @throws 400 for another dealer's upload, one that failed or is no picture (an attachment: nor a PDF), or something that is no URL
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
    stored.push(objectPath(objectId ?? (await takeLink(tx, emit, { dealerId, kind, url, now }))))
  }
  return stored
}

const linksLimit = { name: 'links', max: 60, seconds: 3_600 }

/** Counts a call that has something fetched from elsewhere, and no other. @throws 429 above 60 an hour */
export async function allowLinks(ctx: Context, actor: Actor, urls: readonly string[]): Promise<void> {
  if (urls.some((url) => objectIdOf(url) === undefined)) await ctx.limiter.consume(linksLimit, actor.dealerId)
}

/** Asks for what a link leads to; answers the id it will have. @throws 400 for what is no web address */
async function takeLink(
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

/**
 * Takes one picture or PDF of the dealer's own uploads into use and answers its path; doing it again changes nothing.
 * @throws 400 for anything else: another's upload, one that never arrived or failed, another kind of file, an address of elsewhere
 */
export async function attachFile(db: Db, dealerId: string, url: string): Promise<string> {
  const id = objectIdOf(url)
  const attached = id === undefined ? [] : await attachOwnObjects(db, { dealerId, kind: 'attachment' }, [id])
  if (id === undefined || attached.length === 0)
    throw badRequest('The attachment did not finish uploading. Please add it again')
  return objectPath(id)
}

/** Takes an avatar that came with its own call; the job that makes its sizes puts it beside the dealer's name. */
export async function takeAvatar(ctx: Context, dealerId: string, content: Buffer): Promise<string> {
  const contentType = sniff(content, 'avatar')
  const id = timeId(ctx.now())
  await insertObject(ctx.db, { id, dealerId, kind: 'avatar' })
  await keepContent(ctx, { id, dealerId }, content, contentType)
  return objectPath(id)
}

/** The dealer's last avatar while it is being prepared, or when it could not be; and whether it is this one. */
export async function readLastAvatar(db: Db, dealerId: string): Promise<ObjectStatus | undefined> {
  const object = await findLastAvatar(db, dealerId)
  return object === undefined ? undefined : toStatus(object)
}

/** Takes the files of these objects out of storage, in the background. */
export const removeFiles = (emit: Emit, objectIds: string[]): Promise<void> =>
  emit.jobs(
    'object.remove',
    objectIds.map((objectId) => ({ payload: { objectId } })),
  )

/** Gives up the dealer's avatars that are not ready, with their files. */
export async function dropUnfinishedAvatars(tx: Tx, emit: Emit, dealerId: string): Promise<void> {
  await removeFiles(emit, await removeUnfinishedAvatars(tx, dealerId))
}

/** Files of the dealer's own are not shown there any more: the sweep takes those that nothing else shows. */
export async function releaseUrls(tx: Tx, dealerId: string, urls: readonly string[]): Promise<void> {
  const ids = urls.flatMap((url) => objectIdOf(url) ?? [])
  if (ids.length > 0) await releaseOwnObjects(tx, dealerId, ids)
}

/** Every file of the dealer's own that is there, pictures in their largest size. */
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

/** Of an account that goes away: which addresses its files came from. */
export const dropSources = (tx: Tx, dealerId: string): Promise<void> => removeSourcesOf(tx, dealerId)

/** The id inside one of our own object URLs, absolute or not, with or without a query. */
function objectIdOf(url: string): string | undefined {
  const path = URL.canParse(url, 'http://localhost') ? new URL(url, 'http://localhost').pathname : ''
  return objectUrl.exec(path)?.[1]
}

/** The narrowest size that fills `wanted` pixels, or the widest there is. */
export function chooseWidth(widths: readonly number[], wanted: number): number | undefined {
  const sorted = widths.toSorted((a, b) => a - b)
  return sorted.find((width) => width >= wanted) ?? sorted.at(-1)
}

export const defaultWidth = photoWidths[1]

function toStatus(object: ObjectRow): ObjectStatus {
  const { id, state, width, height, error } = object
  return { id, state, url: objectPath(id), width, height, error }
}

/** A version 7 UUID: sorts by time, and its 74 random bits cannot be guessed. */
function timeId(now: Date): string {
  const bytes = randomBytes(16)
  bytes.writeUIntBE(now.getTime(), 0, 6)
  bytes[6] = 0x70 | ((bytes[6] ?? 0) & 0x0f)
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
