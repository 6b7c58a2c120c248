import { createHash } from 'node:crypto'

/** Hashes secrets that the server generated. They have 256 random bits, so a fast hash is enough; passwords need a slow one. */
export const hashSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest()
