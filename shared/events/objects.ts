import type { ObjectState } from '#shared/schemas/objects.ts'

export interface ObjectEvents {
  /** An upload of one's own was worked on. */
  'object.changed': (event: { objectId: string; state: ObjectState; error: string | null }) => void
}
