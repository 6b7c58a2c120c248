import type { ObjectState } from '#shared/schemas/uploads.ts'

export interface UploadDomainEvents {
  /** A file has changed. `postIds` are the posts that show the file, and `dealerIds` are other dealers who can see it. */
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
  /** Checks a picture, removes its metadata and makes its sizes. */
  'object.process': { objectId: string }
  'object.fetch': { objectId: string }
  /** Removes the files of an upload whose row is deleted in the same transaction. */
  'object.remove': { objectId: string }
}
