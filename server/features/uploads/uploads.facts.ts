import type { ObjectState } from '#shared/schemas/objects.ts'

export interface UploadFacts {
  'object.changed': { objectId: string; dealerId: string; state: ObjectState; error: string | null }
}

export interface UploadJobs {
  /** Checks what was uploaded, drops its metadata and makes the sizes it is served in. */
  'object.process': { objectId: string }
}
