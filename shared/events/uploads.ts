import type { ObjectState } from '#shared/schemas/uploads.ts'

export interface ObjectEvents {
  /** The state of an upload changed. Sent to its owner and to readers of its post or message; only the owner receives `error`. */
  'object.changed': (event: { objectId: string; state: ObjectState; error: string | null }) => void
}
