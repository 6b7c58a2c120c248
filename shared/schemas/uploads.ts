import Type, { type Static } from 'typebox'
import { photoMaxBytes } from '#shared/limits.ts'
import { Id, Nullable, oneOf } from '#shared/values.ts'

const uploadKinds = ['photo', 'attachment', 'sheet'] as const
export type UploadKind = (typeof uploadKinds)[number]
export type ObjectKind = UploadKind | 'avatar'

/** `front` and `rear` are three-quarter views. */
export const pictureAngles = ['front', 'side', 'rear', 'dash', 'odometer', 'damage'] as const
export type PictureAngle = (typeof pictureAngles)[number]

/** awaited: no bytes have arrived. stored: a job processes the file. failed: the file did not match its type or exceeded a limit. */
const objectStates = ['awaited', 'stored', 'ready', 'failed'] as const
export type ObjectState = (typeof objectStates)[number]

/** The documented call has no body. These optional fields limit what the upload URL accepts. */
export const UploadRequest = Nullable(
  Type.Object({
    kind: Type.Optional(oneOf(uploadKinds)),
    contentType: Type.Optional(Type.String({ maxLength: 100 })),
    bytes: Type.Optional(Type.Integer({ minimum: 1, maximum: photoMaxBytes })),
  }),
)
export type UploadRequest = Static<typeof UploadRequest>

/** PUT the raw file here. Without its query string, the URL serves the file: 202 until a picture is processed, 404 without access. */
export const UploadTicket = Type.Object({ uploadURL: Type.String(), objectId: Id })
export type UploadTicket = Static<typeof UploadTicket>

export const ObjectStatus = Type.Object({
  id: Id,
  state: oneOf(objectStates),
  url: Type.String(),
  /** Size of the largest version, in pixels. Null until the picture is ready, and for files that are not pictures. */
  width: Nullable(Type.Integer()),
  height: Nullable(Type.Integer()),
  error: Nullable(Type.String()),
})
export type ObjectStatus = Static<typeof ObjectStatus>
