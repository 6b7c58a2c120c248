import { createHmac, timingSafeEqual } from 'node:crypto'

/** The limits of an upload URL. `expiresAt` is in milliseconds since 1970. */
export interface UploadTerms {
  objectId: string
  maxBytes: number
  contentType: string | undefined
  expiresAt: number
}

export function signTerms(secret: string, terms: UploadTerms): string {
  const query = new URLSearchParams({ expires: String(terms.expiresAt), max: String(terms.maxBytes) })
  if (terms.contentType !== undefined) query.set('type', terms.contentType)
  query.set('signature', signatureOf(secret, terms))
  return query.toString()
}

/** Returns the limits of an upload URL. Undefined if the URL was altered or has expired. */
export function readTerms(
  secret: string,
  objectId: string,
  query: { expires: number; max: number; type?: string; signature: string },
  now: Date,
): UploadTerms | undefined {
  const terms: UploadTerms = {
    objectId,
    maxBytes: query.max,
    contentType: query.type,
    expiresAt: query.expires,
  }
  const given = Buffer.from(query.signature)
  const expected = Buffer.from(signatureOf(secret, terms))
  const holds = given.length === expected.length && timingSafeEqual(given, expected)
  return holds && now.getTime() < terms.expiresAt ? terms : undefined
}

function signatureOf(secret: string, { objectId, maxBytes, contentType, expiresAt }: UploadTerms): string {
  return createHmac('sha256', `${secret}:upload`)
    .update([objectId, maxBytes, contentType ?? '', expiresAt].join('\n'))
    .digest('base64url')
}
