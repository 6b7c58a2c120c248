declare module 'http_ece' {
  import type { ECDH } from 'node:crypto'
  /** Decrypts a push message (RFC 8188, RFC 8291). */
  export function decrypt(
    content: Buffer,
    options: { version: 'aes128gcm'; privateKey: ECDH; authSecret: Buffer },
  ): Buffer
}
