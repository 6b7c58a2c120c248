import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import {
  CopyObjectCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  NoSuchKey,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import type { Config } from '#server/config/config.ts'
import { type Storage, StorageAway } from './storage.ts'

const attempts = 3
const connectMs = 2_000
const requestMs = 20_000
const fileMs = 3_600_000

const unreachable = new Set(
  'ECONNREFUSED ECONNRESET EPIPE ETIMEDOUT EHOSTUNREACH ENETUNREACH ENOTFOUND EAI_AGAIN'.split(' '),
)

function isUnreachable(error: Error & { code?: unknown; $metadata?: { httpStatusCode?: number } }): boolean {
  const status = error.$metadata?.httpStatusCode
  if (status !== undefined) return status >= 500
  return error.name === 'TimeoutError' || (typeof error.code === 'string' && unreachable.has(error.code))
}

/** Without configured keys, uses the SDK's credential chain. Calls throw StorageAway if the bucket is unreachable or returns a 5xx. */
function createClient(config: NonNullable<Config['s3']>): S3Client {
  const { accessKeyId, secretAccessKey } = config
  const client = new S3Client({
    region: config.region,
    maxAttempts: attempts,
    // Without throwOnRequestTimeout, the SDK only warns and waits forever for a bucket that does not respond.
    requestHandler: { connectionTimeout: connectMs, requestTimeout: requestMs, throwOnRequestTimeout: true },
    ...(config.endpoint !== undefined && { endpoint: config.endpoint, forcePathStyle: true }),
    ...(accessKeyId !== undefined &&
      secretAccessKey !== undefined && { credentials: { accessKeyId, secretAccessKey } }),
  })
  client.middlewareStack.add(
    (next) => (args) =>
      next(args).catch((error: Error) => {
        throw isUnreachable(error) ? new StorageAway(error.message, { cause: error }) : error
      }),
    { step: 'initialize', priority: 'high' },
  )
  return client
}

export function openS3Storage(config: NonNullable<Config['s3']>): Storage {
  const client = createClient(config)
  const Bucket = config.bucket
  const get = async (Key: string) => {
    try {
      return await client.send(new GetObjectCommand({ Bucket, Key }))
    } catch (error) {
      if (error instanceof NoSuchKey) return undefined
      throw error
    }
  }
  return {
    async put(Key, Body, ContentType) {
      await client.send(new PutObjectCommand({ Bucket, Key, Body, ContentType, ContentLength: Body.length }))
    },
    async putFile(Key, path, ContentType) {
      const { size: ContentLength } = await stat(path)
      const put = new PutObjectCommand({ Bucket, Key, Body: createReadStream(path), ContentType, ContentLength })
      await client.send(put, { requestTimeout: fileMs })
    },
    async open(key) {
      const found = await get(key)
      if (!(found?.Body instanceof Readable)) return undefined
      return { body: found.Body, bytes: found.ContentLength ?? 0 }
    },
    async read(key) {
      const found = await get(key)
      return found?.Body === undefined ? undefined : Buffer.from(await found.Body.transformToByteArray())
    },
    async *list(Prefix = '') {
      let ContinuationToken: string | undefined
      do {
        const page = await client.send(new ListObjectsV2Command({ Bucket, Prefix, ContinuationToken }))
        for (const { Key } of page.Contents ?? []) if (Key !== undefined) yield Key
        ContinuationToken = page.NextContinuationToken
      } while (ContinuationToken !== undefined)
    },
    async export(key, path) {
      const found = await get(key)
      if (!(found?.Body instanceof Readable)) return false
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      await pipeline(found.Body, createWriteStream(path, { mode: 0o600 }))
      return true
    },
    async copy(key, toKey) {
      try {
        await client.send(new CopyObjectCommand({ Bucket, Key: toKey, CopySource: encodeURI(`${Bucket}/${key}`) }))
        return true
      } catch (error) {
        if (error instanceof Error && error.name === 'NoSuchKey') return false
        throw error
      }
    },
    async remove(Key) {
      await client.send(new DeleteObjectCommand({ Bucket, Key }))
    },
    async removeObject(objectId) {
      let more: boolean
      do {
        const listed = await client.send(new ListObjectsV2Command({ Bucket, Prefix: `${objectId}/` }))
        const Objects = (listed.Contents ?? []).flatMap(({ Key }) => (Key === undefined ? [] : { Key }))
        if (Objects.length === 0) return
        const answer = await client.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } }))
        // The response has status 200 even if some objects were not deleted.
        const [failed] = answer.Errors ?? []
        if (failed) throw new Error(`The bucket keeps ${failed.Key}: ${failed.Code} ${failed.Message}`)
        more = listed.IsTruncated === true
      } while (more)
    },
  }
}
