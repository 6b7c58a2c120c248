import { hash, verify } from '@node-rs/argon2'

/** argon2id with OWASP's first recommended parameters (19 MiB, 2 passes). */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Verified against when the account is unknown, so that both refusals take the same path. */
let nobody: Promise<string> | undefined

export const hashPassword = (password: string): Promise<string> => hash(password, parameters)

/** True only when the account has a password and this is it. */
export async function checkPassword(stored: string | null | undefined, password: string): Promise<boolean> {
  nobody ??= hashPassword('nobody has this password')
  const matches = await verify(stored ?? (await nobody), password)
  return matches && typeof stored === 'string'
}
