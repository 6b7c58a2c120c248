import type { ObjectState } from '#shared/schemas/uploads.ts'

export interface ObjectEvents {
  /** Sent when the state of an upload changed, to its owner and to readers of its post or message. Only the owner receives `error`. */
  'object.changed': (event: { objectId: string; state: ObjectState; error: string | null }) => void
}
