import { createHash } from 'node:crypto'

/**
 * What is stored of a secret that the server itself has made: of sessions, keys and links. Such a secret has 256 random bits, which nobody
 * guesses however fast a guess is; a slow hash is for what people choose.
 */
export const hashSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest()
