import Type, { type Static } from 'typebox'
import { photoMaxBytes } from '#shared/limits.ts'
import { Id, Nullable, oneOf } from '#shared/values.ts'

const uploadKinds = ['photo', 'attachment', 'sheet'] as const
export type UploadKind = (typeof uploadKinds)[number]
export type ObjectKind = UploadKind | 'avatar'

/** The view in a vehicle photo. `front` and `rear` are three-quarter views. */
export const pictureAngles = ['front', 'side', 'rear', 'dash', 'odometer', 'damage'] as const
export type PictureAngle = (typeof pictureAngles)[number]

/**
 * awaited: URL issued, no bytes yet. stored: received, a job is processing it. ready: permanently available. failed: content did
 * not match its type or exceeded a limit.
 */
const objectStates = ['awaited', 'stored', 'ready', 'failed'] as const
export type ObjectState = (typeof objectStates)[number]

/** POST /api/objects/upload. The documented call has no body; the fields restrict what the upload URL accepts. */
export const UploadRequest = Nullable(
  Type.Object({
    kind: Type.Optional(oneOf(uploadKinds)),
    contentType: Type.Optional(Type.String({ maxLength: 100 })),
    bytes: Type.Optional(Type.Integer({ minimum: 1, maximum: photoMaxBytes })),
  }),
)
export type UploadRequest = Static<typeof UploadRequest>

/**
 * URL to PUT the raw file to. Without its query string, the same URL serves the file: 202 with Retry-After while a picture is
 * processed, 404 for callers who may not see it.
 */
export const UploadTicket = Type.Object({ uploadURL: Type.String(), objectId: Id })
export type UploadTicket = Static<typeof UploadTicket>

export const ObjectStatus = Type.Object({
  id: Id,
  state: oneOf(objectStates),
  url: Type.String(),
  /** Pixels of the largest size; null until ready and for files that are not pictures. */
  width: Nullable(Type.Integer()),
  height: Nullable(Type.Integer()),
  error: Nullable(Type.String()),
})
export type ObjectStatus = Static<typeof ObjectStatus>
