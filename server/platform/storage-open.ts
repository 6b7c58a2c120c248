import type { Config } from '#server/config.ts'
import type { Storage } from './storage.ts'
import { openDiskStorage } from './storage-disk.ts'

/** S3-compatible when a bucket is configured, the local disk otherwise. */
export async function openStorage(config: Pick<Config, 's3' | 'storageDir'>): Promise<Storage> {
  if (config.s3 === undefined) return openDiskStorage(config.storageDir)
  // The client is large: loaded only where it is used.
  const { openS3Storage } = await import('./storage-s3.ts')
  return openS3Storage(config.s3)
}
