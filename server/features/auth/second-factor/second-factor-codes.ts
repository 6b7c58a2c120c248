import { createHash, randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { recoveryCodesMade } from '#shared/constants/auth.ts'

/** RFC 4226 (section 4) recommends 160 bits. */
const secretBytes = 20
/** Number of 30-second steps accepted before and after the current one, to allow for clock drift and typing (RFC 6238, 5.2). */
const clockSkewSteps = 1

export const newSecret = (): Buffer => randomBytes(secretBytes)

const totp = (secret: Buffer, label = ''): TOTP =>
  new TOTP({ issuer: 'Lanewire', label, secret: new Secret({ buffer: new Uint8Array(secret).buffer }) })

export const forApp = (secret: Buffer, label: string) => ({
  secret: totp(secret).secret.base32,
  uri: totp(secret, label).toString(),
})

/** Returns the 30-second step of the code, or undefined if the code is not valid now. */
export function stepOf(secret: Buffer, code: string, nowMs: number): number | undefined {
  const delta = totp(secret).validate({ token: code, timestamp: nowMs, window: clockSkewSteps })
  return delta === null ? undefined : TOTP.counter({ timestamp: nowMs }) + delta
}

/** Returns the six digits, or undefined for any other text, which counts as a recovery code. */
export function digitsOf(code: string): string | undefined {
  const digits = code.replaceAll(/\s/g, '')
  return /^\d{6}$/.test(digits) ? digits : undefined
}

/** Characters without lookalikes. 24 of them have 120 bits; a plain hash suffices from 112 bits (NIST SP 800-63B-4, 3.1.2.2). */
const alphabet = '23456789abcdefghijkmnpqrstuvwxyz'
const codeLength = 24

export const newRecoveryCodes = (): string[] =>
  Array.from({ length: recoveryCodesMade }, () =>
    Array.from(randomBytes(codeLength), (byte) => alphabet.charAt(byte % alphabet.length))
      .join('')
      .replaceAll(/(.{4})(?=.)/g, '$1-'),
  )

/** Uses no server key, so that recovery codes still work after the server's keys change. */
export const hashRecoveryCode = (dealerId: string, code: string): Buffer =>
  createHash('sha256')
    .update(`${dealerId}:${code.toLowerCase().replaceAll(/[^a-z0-9]/g, '')}`)
    .digest()
