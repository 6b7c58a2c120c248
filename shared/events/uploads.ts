import type { ObjectState } from '#shared/schemas/uploads.ts'

export interface ObjectEvents {
  /** An upload of one's own, or one on a post or message that one reads, was worked on. `error` is for its owner alone. */
  'object.changed': (event: { objectId: string; state: ObjectState; error: string | null }) => void
}
