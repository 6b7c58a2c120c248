import type { Readable } from 'node:stream'

/** Thrown if the storage is unreachable or faulty. The caller should retry later. */
export class StorageAway extends Error {
  override name = 'StorageAway'
}

/** Thrown if the disk is full. Writes fail until somebody frees up space. */
export class StorageFull extends StorageAway {
  override name = 'StorageFull'
}

/** Stores files under keys of the form `{object id}/{name}`. Methods throw StorageAway if the caller should retry later. */
export interface Storage {
  /** Resolves once the content is stored. Writing a key again, as a retry does, replaces its content atomically. */
  put(key: string, content: Buffer, contentType: string): Promise<void>
  /** Like `put`, but streams a local file instead of loading it into memory. */
  putFile(key: string, path: string, contentType: string): Promise<void>
  /** Returns undefined if the key does not exist. The caller must read the stream to its end or destroy it. */
  open(key: string): Promise<{ body: Readable; bytes: number } | undefined>
  read(key: string): Promise<Buffer | undefined>
  /** Lists keys in any order. May miss or include keys that change meanwhile. Fails if it cannot list all others. */
  list(prefix?: string): AsyncIterable<string>
  /** Writes a key's content to the new local file `path`. Returns false if the key does not exist. */
  export(key: string, path: string): Promise<boolean>
  /** Returns false if the key does not exist. */
  copy(key: string, toKey: string): Promise<boolean>
  /** Idempotent. */
  remove(key: string): Promise<void>
  /** Removes all keys of an object. Idempotent. */
  removeObject(objectId: string): Promise<void>
}
