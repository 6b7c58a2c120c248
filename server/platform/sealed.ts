import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Static, TNumber, TObject } from 'typebox'
import Value from 'typebox/value'

/** Good until then, in milliseconds since 1970. */
interface Passing {
  until: number
}

/** `purpose` keeps what was sealed for one thing from being taken for another. */
const sign = (secret: string, purpose: string, payload: string): Buffer =>
  createHmac('sha256', secret).update(`${purpose}:${payload}`).digest()

/** What a browser carries for us and brings back: it can be read there, but neither be made up nor altered. */
export function seal(secret: string, purpose: string, content: Passing): string {
  const payload = Buffer.from(JSON.stringify(content)).toString('base64url')
  return `${payload}.${sign(secret, purpose, payload).toString('base64url')}`
}

/** Undefined when it was not sealed here for this purpose, or its time is over. */
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

/** A key of its own for each purpose, which tells nothing of the others. */
const keyOf = (secret: string, purpose: string): Buffer => Buffer.from(hkdfSync('sha256', secret, '', purpose, 32))

/** What the database keeps for us and cannot read. `owner` ties it to its row: beside another it does not open. */
export function encrypt(secret: string, purpose: string, owner: string, content: Buffer): Buffer {
  const iv = randomBytes(ivBytes)
  const lock = createCipheriv(cipher, keyOf(secret, purpose), iv).setAAD(Buffer.from(owner))
  return Buffer.concat([iv, lock.update(content), lock.final(), lock.getAuthTag()])
}

/** Undefined where it was encrypted with another secret, or for something else. */
export function decrypt(secret: string, purpose: string, owner: string, kept: Buffer): Buffer | undefined {
  const key = createDecipheriv(cipher, keyOf(secret, purpose), kept.subarray(0, ivBytes), { authTagLength: tagBytes })
  key.setAAD(Buffer.from(owner)).setAuthTag(kept.subarray(-tagBytes))
  try {
    return Buffer.concat([key.update(kept.subarray(ivBytes, -tagBytes)), key.final()])
  } catch {
    return undefined
  }
}
