import type { Config } from '#server/config/config.ts'
import type { Storage } from './storage.ts'
import { openDiskStorage } from './storage-disk.ts'

export async function openStorage(config: Pick<Config, 's3' | 'storageDir'>): Promise<Storage> {
  if (config.s3 === undefined) return openDiskStorage(config.storageDir)
  // Load the S3 client only if a bucket is configured, because the client is large.
  const { openS3Storage } = await import('./storage-s3.ts')
  return openS3Storage(config.s3)
}
