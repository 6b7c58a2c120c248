interface StorageValues {
  DATA_DIR: string
  STORAGE_DIR?: string
  S3_BUCKET?: string
  S3_ENDPOINT?: string
  S3_REGION: string
  S3_ACCESS_KEY_ID?: string
  S3_SECRET_ACCESS_KEY?: string
}

export function storageOf(values: StorageValues) {
  const s3 =
    values.S3_BUCKET === undefined
      ? undefined
      : Object.freeze({
          endpoint: values.S3_ENDPOINT,
          region: values.S3_REGION,
          bucket: values.S3_BUCKET,
          accessKeyId: values.S3_ACCESS_KEY_ID,
          secretAccessKey: values.S3_SECRET_ACCESS_KEY,
        })
  return { storageDir: values.STORAGE_DIR ?? `${values.DATA_DIR}/storage`, s3 }
}
