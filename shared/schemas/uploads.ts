import Type, { type Static } from 'typebox'
import { photoMaxBytes } from '#shared/limits.ts'
import { Id, Nullable, oneOf } from '#shared/values.ts'

const uploadKinds = ['photo', 'attachment', 'sheet'] as const
export type UploadKind = (typeof uploadKinds)[number]
/** An avatar comes with a call of its own. */
export type ObjectKind = UploadKind | 'avatar'

/** What a picture can be known to show of a vehicle; `front` and `rear` are three-quarter views. */
export const pictureAngles = ['front', 'side', 'rear', 'dash', 'odometer', 'damage'] as const
export type PictureAngle = (typeof pictureAngles)[number]

/**
 * awaited: allowed, no bytes yet. stored: the bytes are here and a job works on them. ready: served for good.
 * failed: the bytes were not what they claimed to be, or more than we take.
 */
const objectStates = ['awaited', 'stored', 'ready', 'failed'] as const
export type ObjectState = (typeof objectStates)[number]

/** POST /api/objects/upload. The documented call sends nothing; what is sent narrows what the upload URL will take. */
export const UploadRequest = Nullable(
  Type.Object({
    kind: Type.Optional(oneOf(uploadKinds)),
    contentType: Type.Optional(Type.String({ maxLength: 100 })),
    bytes: Type.Optional(Type.Integer({ minimum: 1, maximum: photoMaxBytes })),
  }),
)
export type UploadRequest = Static<typeof UploadRequest>

/**
 * Where to PUT the raw file. Without its query string the same URL shows the file for good: with 202 and
 * Retry-After while a picture is being prepared, and with 404 to everybody who may not see what the file hangs on.
 */
export const UploadTicket = Type.Object({ uploadURL: Type.String(), objectId: Id })
export type UploadTicket = Static<typeof UploadTicket>

/** GET /api/objects/{id}/status, for whoever may see the file. */
export const ObjectStatus = Type.Object({
  id: Id,
  state: oneOf(objectStates),
  /** Path that shows the object. */
  url: Type.String(),
  /** Pixels of the largest size; null until ready, and for files that are not pictures. */
  width: Nullable(Type.Integer()),
  height: Nullable(Type.Integer()),
  /** Why it failed, fit to be shown; null for others than its owner. */
  error: Nullable(Type.String()),
})
export type ObjectStatus = Static<typeof ObjectStatus>
