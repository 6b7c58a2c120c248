import type { Readable } from 'node:stream'

/** Thrown if the storage is unreachable or has a fault. Retry later. */
export class StorageAway extends Error {
  override name = 'StorageAway'
}

/** Thrown if the disk is full. Writes fail until somebody frees space. */
export class StorageFull extends StorageAway {
  override name = 'StorageFull'
}

/** Keys are `{object id}/{name}`. Their content never changes. @throws StorageAway from every method if the caller should retry later */
export interface Storage {
  /** The content is durable once the promise resolves. Writing a key again, as a retry does, replaces it atomically. */
  put(key: string, content: Buffer, contentType: string): Promise<void>
  /** Does not load the file into memory. */
  putFile(key: string, path: string, contentType: string): Promise<void>
  /** Returns undefined if the key does not exist. The caller must read the stream to its end or destroy it. */
  open(key: string): Promise<{ body: Readable; bytes: number } | undefined>
  read(key: string): Promise<Buffer | undefined>
  /** Lists keys in no particular order. Keys written or removed during the iteration may or may not be included. */
  list(prefix?: string): AsyncIterable<string>
  /** Writes a key's content to a new local file. Returns false if the key does not exist. */
  export(key: string, path: string): Promise<boolean>
  /** Returns false if the key does not exist. */
  copy(key: string, toKey: string): Promise<boolean>
  /** Idempotent. */
  remove(key: string): Promise<void>
  /** Removes all keys of an object. Idempotent. */
  removeObject(objectId: string): Promise<void>
}
