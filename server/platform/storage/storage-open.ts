import type { Config } from '#server/config/config.ts'
import type { Storage } from './storage.ts'
import { openDiskStorage } from './storage-disk.ts'

export async function openStorage(config: Pick<Config, 's3' | 'storageDir'>): Promise<Storage> {
  if (config.s3 === undefined) return openDiskStorage(config.storageDir)
  // The S3 client is large, so load it only if needed.
  const { openS3Storage } = await import('./storage-s3.ts')
  return openS3Storage(config.s3)
}
