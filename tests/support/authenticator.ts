import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import type { MadePasskey, PasskeyAnswer, PasskeyOptions } from '#shared/schemas/auth.ts'

const stepMs = 30_000
const shown = new Map<string, string>()

/** Returns the authenticator code, `stepsLater` steps of 30 s from now. Repeated calls return the same code, even in a later step. */
export function codeOf(secret: string, stepsLater = 0): string {
  const key = `${secret} ${stepsLater}`
  const timestamp = Date.now() + stepsLater * stepMs
  const code = shown.get(key) ?? new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp })
  shown.set(key, code)
  return code
}

interface Signing {
  userVerified?: boolean
  origin?: string
  /** Keeps the signature counter from increasing, as a cloned passkey would. */
  copied?: boolean
}

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest()
const encoded = (data: Buffer | string): string => Buffer.from(data).toString('base64url')

const present = 0x01
const verified = 0x04
const attested = 0x40

const bytesOf = (data: Buffer): Buffer =>
  Buffer.concat([Buffer.from([0x59, data.length >> 8, data.length & 0xff]), data])

/** An in-memory passkey that answers like a browser at `origin` (WebAuthn Level 3, section 6.5; CBOR encoded by hand). */
export function createPasskey(origin: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(32)
  let counter = 0
  let handle = ''

  const clientData = (type: string, challenge: unknown, at = origin) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: at, crossOrigin: false }))

  const authData = (rpId: unknown, flags: number, rest: Buffer = Buffer.alloc(0)) => {
    const head = Buffer.alloc(5)
    head.writeUInt8(flags)
    head.writeUInt32BE(counter, 1)
    return Buffer.concat([sha256(String(rpId)), head, rest])
  }

  function publicKeyBytes(): Buffer {
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
    const point = (label: number, value: string) =>
      Buffer.concat([Buffer.from([label, 0x58, 0x20]), Buffer.from(value, 'base64url')])
    return Buffer.concat([Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01]), point(0x21, x), point(0x22, y)])
  }

  return {
    make({ options }: PasskeyOptions, { origin: at }: Signing = {}): MadePasskey {
      const { challenge, rp, user } = options as { challenge: string; rp: { id: string }; user: { id: string } }
      handle = user.id
      counter = 1
      const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, publicKeyBytes()])
      const data = authData(rp.id, present | verified | attested, credential)
      const text = (word: string) => Buffer.concat([Buffer.from([0x60 + word.length]), Buffer.from(word)])
      const attestation = Buffer.concat([
        Buffer.from([0xa3]),
        text('fmt'),
        text('none'),
        text('attStmt'),
        Buffer.from([0xa0]),
        text('authData'),
        bytesOf(data),
      ])
      return {
        id: encoded(id),
        rawId: encoded(id),
        type: 'public-key',
        response: {
          clientDataJSON: encoded(clientData('webauthn.create', challenge, at)),
          attestationObject: encoded(attestation),
          transports: ['internal'],
        },
      }
    },
    sign(
      { options }: PasskeyOptions,
      { userVerified = true, origin: at, copied = false }: Signing = {},
    ): PasskeyAnswer {
      if (!copied) counter += 1
      const data = authData(options['rpId'], userVerified ? present | verified : present)
      const client = clientData('webauthn.get', options['challenge'], at)
      return {
        id: encoded(id),
        rawId: encoded(id),
        type: 'public-key',
        response: {
          clientDataJSON: encoded(client),
          authenticatorData: encoded(data),
          signature: encoded(sign('sha256', Buffer.concat([data, sha256(client)]), privateKey)),
          ...(handle && { userHandle: handle }),
        },
      }
    },
  }
}
