import type { ObjectState } from '#shared/schemas/uploads.ts'

export interface ObjectEvents {
  /** Sent to the upload's owner and to readers of its post or message. Only the owner receives `error`. */
  'object.changed': (event: { objectId: string; state: ObjectState; error: string | null }) => void
}
