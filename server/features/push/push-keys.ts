import { createECDH } from 'node:crypto'
import type { Context } from '#server/platform/process/context.ts'
import { decrypt, encrypt } from '#server/platform/signing-and-encryption.ts'
import { findKeys, storeKeys } from './push.repository.ts'

/** VAPID keys (RFC 8292), base64url. */
export interface PushKeys {
  publicKey: string
  privateKey: string
}

type Needs = Pick<Context, 'db' | 'config'>

const purpose = 'push'
const owner = 'keys'

/** Returns the keys. Creates them on first use, or if `SESSION_SECRET` has changed. Browsers then have to subscribe again. */
export async function pushKeys(needs: Needs): Promise<PushKeys> {
  const stored = await findKeys(needs.db)
  const known = stored && open(needs, stored)
  if (known !== undefined) return known
  // Import it only when needed, because loading it slows down startup.
  const { default: webPush } = await import('web-push')
  const made = webPush.generateVAPIDKeys()
  const publicKey = Buffer.from(made.publicKey, 'base64url')
  const privateKey = encrypt(needs.config.secret, purpose, owner, Buffer.from(made.privateKey, 'base64url'))
  await storeKeys(needs.db, { publicKey, privateKey }, stored?.publicKey)
  const winner = await findKeys(needs.db)
  const keys = winner && open(needs, winner)
  if (keys === undefined)
    throw new Error('The push keys cannot be decrypted: two processes have different SESSION_SECRETs')
  return keys
}

function open(
  { config }: Needs,
  { publicKey, privateKey }: { publicKey: Buffer; privateKey: Buffer },
): PushKeys | undefined {
  const secret = decrypt(config.secret, purpose, owner, privateKey)
  if (secret === undefined) return undefined
  const pair = createECDH('prime256v1')
  pair.setPrivateKey(secret)
  if (!pair.getPublicKey().equals(publicKey)) return undefined
  return { publicKey: publicKey.toString('base64url'), privateKey: secret.toString('base64url') }
}
