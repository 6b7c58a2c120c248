import { createHash, randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { recoveryCodesMade } from '#shared/schemas/auth.ts'

/** As long as the digest, which RFC 4226 §4 recommends. */
const secretBytes = 20
/** So many steps of 30 s before and after now: a phone's clock may be off, and typing takes a while (RFC 6238 §5.2). */
const stepsAside = 1

export const newSecret = (): Buffer => randomBytes(secretBytes)

const totp = (secret: Buffer, label = ''): TOTP =>
  new TOTP({ issuer: 'Lanewire', label, secret: new Secret({ buffer: new Uint8Array(secret).buffer }) })

/** For the app: the secret as one types it, and the address that its QR code says. */
export const forApp = (secret: Buffer, label: string) => ({
  secret: totp(secret).secret.base32,
  uri: totp(secret, label).toString(),
})

/** Which step of 30 s since 1970 this code belongs to, if it is one of those about now. */
export function stepOf(secret: Buffer, code: string, nowMs: number): number | undefined {
  const aside = totp(secret).validate({ token: code, timestamp: nowMs, window: stepsAside })
  return aside === null ? undefined : TOTP.counter({ timestamp: nowMs }) + aside
}

/** The six digits of an app, with blanks or without. Anything else is taken for a recovery code. */
export function digitsOf(code: string): string | undefined {
  const digits = code.replaceAll(/\s/g, '')
  return /^\d{6}$/.test(digits) ? digits : undefined
}

/**
 * Letters and digits that are not taken for one another. 32 of them: 24 are 120 bits, and from 112 on a plain hash will do
 * (NIST SP 800-63B-4, 3.1.2.2). Codes of 16 that were made before count until they are used or replaced.
 */
const alphabet = '23456789abcdefghijkmnpqrstuvwxyz'
const codeLength = 24

export const newRecoveryCodes = (): string[] =>
  Array.from({ length: recoveryCodesMade }, () =>
    Array.from(randomBytes(codeLength), (byte) => alphabet.charAt(byte % alphabet.length))
      .join('')
      .replaceAll(/(.{4})(?=.)/g, '$1-'),
  )

/** What is stored of one. No key of the server's is in it: a code still counts after the keys have changed. */
export const hashRecoveryCode = (dealerId: string, code: string): Buffer =>
  createHash('sha256')
    .update(`${dealerId}:${code.toLowerCase().replaceAll(/[^a-z0-9]/g, '')}`)
    .digest()
