import type { Config } from '#server/config.ts'
import type { Storage } from './storage.ts'
import { openDiskStorage } from './storage-disk.ts'
import { openS3Storage } from './storage-s3.ts'

/** S3-compatible when a bucket is configured, the local disk otherwise. */
export function openStorage(config: Pick<Config, 's3' | 'storageDir'>): Storage {
  return config.s3 === undefined ? openDiskStorage(config.storageDir) : openS3Storage(config.s3)
}
