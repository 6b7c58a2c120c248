import type { Readable } from 'node:stream'

/** The storage is unreachable or has a fault: retry later. */
export class StorageAway extends Error {
  override name = 'StorageAway'
}

/** The disk is full. Writing fails until somebody frees space. */
export class StorageFull extends StorageAway {
  override name = 'StorageFull'
}

/**
 * File storage. Keys are `{object id}/{name}`. A key is written once and never changes, so readers may cache it forever.
 * @throws StorageAway from every method if the call should be retried later
 */
export interface Storage {
  /** Durable when it resolves. Writing a key again replaces it atomically. */
  put(key: string, content: Buffer, contentType: string): Promise<void>
  /** Like `put`, for a local file of any size, which is not loaded into memory. */
  putFile(key: string, path: string, contentType: string): Promise<void>
  /** Undefined if the key does not exist. The caller has to read the stream to its end or destroy it. */
  open(key: string): Promise<{ body: Readable; bytes: number } | undefined>
  read(key: string): Promise<Buffer | undefined>
  /** Lists the keys with this prefix, in no order. Keys written or removed meanwhile may or may not be included. */
  list(prefix?: string): AsyncIterable<string>
  /** Writes a key's content to a new local file. False if the key does not exist. */
  export(key: string, path: string): Promise<boolean>
  /** Copies a key's content to another key. False if the key does not exist. */
  copy(key: string, toKey: string): Promise<boolean>
  /** Removes one key. Idempotent. */
  remove(key: string): Promise<void>
  /** Removes all keys of an object. Idempotent. */
  removeObject(objectId: string): Promise<void>
}
