import { createHmac, timingSafeEqual } from 'node:crypto'
import Type, { type Static } from 'typebox'
import Value from 'typebox/value'

/** A Google sign-in that waits for the password of the account with the same e-mail. */
const PendingLink = Type.Object({
  subject: Type.String(),
  dealerId: Type.String(),
  /** The address that both have. */
  email: Type.String(),
  until: Type.Number(),
})
export type PendingLink = Static<typeof PendingLink>

const sign = (secret: string, payload: string): Buffer =>
  createHmac('sha256', secret).update(`google-link:${payload}`).digest()

/** Travels in a cookie of the browser that went through Google, so it must not be forgeable. */
export function sealLink(secret: string, link: PendingLink): string {
  const payload = Buffer.from(JSON.stringify(link)).toString('base64url')
  return `${payload}.${sign(secret, payload).toString('base64url')}`
}

/** Undefined when it is not ours or too old. */
export function openLink(secret: string, sealed: string | undefined, nowMs: number): PendingLink | undefined {
  const [payload = '', signature = ''] = (sealed ?? '').split('.')
  const given = Buffer.from(signature, 'base64url')
  const expected = sign(secret, payload)
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
  const link: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString())
  return Value.Check(PendingLink, link) && link.until > nowMs ? link : undefined
}
