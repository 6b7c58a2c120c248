import type { ObjectState } from '#shared/schemas/uploads.ts'

export interface UploadDomainEvents {
  /** `postIds`, `dealerIds`: what shows the file, and who else reads it. */
  'object.changed': {
    objectId: string
    dealerId: string
    state: ObjectState
    error: string | null
    postIds: string[]
    dealerIds: string[]
  }
}

export interface UploadJobs {
  /** Checks what was uploaded, drops its metadata and makes the sizes it is served in. */
  'object.process': { objectId: string }
  /** Fetches what a link leads to, once, into storage. */
  'object.fetch': { objectId: string }
  /** Takes away the files of an upload whose row has gone, in whose transaction it is asked for. */
  'object.remove': { objectId: string }
}
