import Type, { type Static } from 'typebox'
import { photoMaxBytes } from '#shared/limits.ts'
import { Id, Nullable, oneOf } from '#shared/values.ts'

const uploadKinds = ['photo', 'attachment', 'sheet'] as const
export type UploadKind = (typeof uploadKinds)[number]
export type ObjectKind = UploadKind | 'avatar'

/** The view that a vehicle photo shows. `front` and `rear` are three-quarter views. */
export const pictureAngles = ['front', 'side', 'rear', 'dash', 'odometer', 'damage'] as const
export type PictureAngle = (typeof pictureAngles)[number]

/**
 * awaited: the URL was issued, but no bytes have arrived. stored: the file was received, and a job is processing it. ready: the
 * file is permanently available. failed: the content did not match its type or exceeded a limit.
 */
const objectStates = ['awaited', 'stored', 'ready', 'failed'] as const
export type ObjectState = (typeof objectStates)[number]

/** POST /api/objects/upload. The documented call has no body; these optional fields restrict the content that the upload URL accepts. */
export const UploadRequest = Nullable(
  Type.Object({
    kind: Type.Optional(oneOf(uploadKinds)),
    contentType: Type.Optional(Type.String({ maxLength: 100 })),
    bytes: Type.Optional(Type.Integer({ minimum: 1, maximum: photoMaxBytes })),
  }),
)
export type UploadRequest = Static<typeof UploadRequest>

/**
 * URL for uploading the raw file with PUT. Without its query string, the same URL serves the file. It returns 202 with
 * Retry-After while a picture is processed, and 404 for callers who may not see the file.
 */
export const UploadTicket = Type.Object({ uploadURL: Type.String(), objectId: Id })
export type UploadTicket = Static<typeof UploadTicket>

export const ObjectStatus = Type.Object({
  id: Id,
  state: oneOf(objectStates),
  url: Type.String(),
  /** Width of the largest size in pixels. Null until the picture is ready, and for files that are not pictures. */
  width: Nullable(Type.Integer()),
  height: Nullable(Type.Integer()),
  error: Nullable(Type.String()),
})
export type ObjectStatus = Static<typeof ObjectStatus>
