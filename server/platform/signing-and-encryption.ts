import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Static, TNumber, TObject } from 'typebox'
import Value from 'typebox/value'

/** `until` is the end of validity, in milliseconds since 1970. */
interface Expiring {
  until: number
}

/** `purpose` prevents a token from being accepted for another use. */
const sign = (secret: string, purpose: string, payload: string): Buffer =>
  createHmac('sha256', secret).update(`${purpose}:${payload}`).digest()

/** Signs content that the browser stores and sends back. The browser can read the content, but cannot change it. */
export function seal(secret: string, purpose: string, content: Expiring): string {
  const payload = Buffer.from(JSON.stringify(content)).toString('base64url')
  return `${payload}.${sign(secret, purpose, payload).toString('base64url')}`
}

/** Returns the content, or undefined if the signature is not valid for this purpose or the content has expired. */
export function openSealed<Schema extends TObject<{ until: TNumber }>>(
  { secret, purpose, schema }: { secret: string; purpose: string; schema: Schema },
  sealed: string | undefined,
  nowMs: number,
): Static<Schema> | undefined {
  const [payload = '', signature = ''] = (sealed ?? '').split('.')
  const given = Buffer.from(signature, 'base64url')
  const expected = sign(secret, purpose, payload)
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
  const content: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString())
  return Value.Check(schema, content) && content.until > nowMs ? content : undefined
}

const cipher = 'aes-256-gcm'
const ivBytes = 12
const tagBytes = 16

/** Derives an independent key for each purpose. */
const keyOf = (secret: string, purpose: string): Buffer => Buffer.from(hkdfSync('sha256', secret, '', purpose, 32))

/** Encrypts content for storage. `owner` binds the content to its row: decryption fails in another row. */
export function encrypt(secret: string, purpose: string, owner: string, content: Buffer): Buffer {
  const iv = randomBytes(ivBytes)
  const lock = createCipheriv(cipher, keyOf(secret, purpose), iv).setAAD(Buffer.from(owner))
  return Buffer.concat([iv, lock.update(content), lock.final(), lock.getAuthTag()])
}

/** Returns undefined if the content was modified, or encrypted with another secret, purpose or owner. */
export function decrypt(secret: string, purpose: string, owner: string, encrypted: Buffer): Buffer | undefined {
  const key = createDecipheriv(cipher, keyOf(secret, purpose), encrypted.subarray(0, ivBytes), {
    authTagLength: tagBytes,
  })
  key.setAAD(Buffer.from(owner)).setAuthTag(encrypted.subarray(-tagBytes))
  try {
    return Buffer.concat([key.update(encrypted.subarray(ivBytes, -tagBytes)), key.final()])
  } catch {
    return undefined
  }
}
