import { createHash } from 'node:crypto'

/** Hashes a server-generated secret. It has 256 random bits, so a fast hash is enough; slow ones are for passwords. */
export const hashSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest()
