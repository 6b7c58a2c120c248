import { createHash } from 'node:crypto'

/** Hashes a server-generated secret. The secret has 256 random bits, so a fast hash is enough; only passwords need a slow one. */
export const hashSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest()
