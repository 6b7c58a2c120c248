import type { Readable } from 'node:stream'

/** The storage was out of reach, or has a fault of its own, rather than refusing what it was asked for: to be tried later. */
export class StorageAway extends Error {
  override name = 'StorageAway'
}

/** The disk has no room left: nothing can be written before somebody makes room. */
export class StorageFull extends StorageAway {
  override name = 'StorageFull'
}

/**
 * Where files live. Keys are `{object id}/{name}`; a key is written once and never changes, so readers may cache for
 * ever. Both implementations keep the same promises and share one test.
 * All of them throw StorageAway where it is to be tried later.
 */
export interface Storage {
  /** Durable when it resolves. Writing a key again replaces it whole; readers never see half of it. */
  put(key: string, content: Buffer, contentType: string): Promise<void>
  /** The same for a file of this machine, of any size: it is never held in memory. */
  putFile(key: string, path: string, contentType: string): Promise<void>
  /** Undefined when there is no such key. The caller reads the stream to its end or destroys it. */
  open(key: string): Promise<{ body: Readable; bytes: number } | undefined>
  /** The whole content, for work on it in memory. */
  read(key: string): Promise<Buffer | undefined>
  /** Every key that begins so, in no order. Of what is written or removed meanwhile some are in it. */
  list(prefix?: string): AsyncIterable<string>
  /** Writes a key's content into a new file of this machine. False when there is no such key. */
  export(key: string, path: string): Promise<boolean>
  /** Writes a key's content under another key as well. False when there is no such key. */
  copy(key: string, toKey: string): Promise<boolean>
  /** Removes one key. Removing what is not there is fine. */
  remove(key: string): Promise<void>
  /** Removes everything of one object. Removing what is not there is fine. */
  removeObject(objectId: string): Promise<void>
}
