import { hash, verify } from '@node-rs/argon2'
import { passwordMin } from '#shared/schemas/auth.ts'
import { badRequest } from '#server/errors.ts'
import { isCommonPassword } from './common-passwords.ts'

/** Keyboards write é as one sign or as two. Passwords are compared in NFC, where it is one (NIST SP 800-63B, 3.1.1.2). */
const normalized = (password: string): string => password.normalize('NFC')

/** @throws 400 with a sentence that says how to choose a better one */
export function assertGoodPassword(password: string, email: string): void {
  const text = normalized(password)
  if ([...text].length < passwordMin)
    throw badRequest(`Choose a password of at least ${passwordMin} characters`, { fields: ['password'] })
  if (isCommonPassword(text, email))
    throw badRequest('This password is too common. Choose a longer or less common one', { fields: ['password'] })
}

/** argon2id with OWASP's first recommended parameters (19 MiB, 2 passes). */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Verified against when the account is unknown, so that both refusals take the same path. */
let nobody: Promise<string> | undefined

export const hashPassword = (password: string): Promise<string> => hash(normalized(password), parameters)

/** Earlier versions hashed a password as it was sent: composed, decomposed, or mixed. One form for a password in ASCII. */
const formsOf = (password: string): Set<string> => new Set([normalized(password), password, password.normalize('NFD')])

/** True only when the account has a password and this is it. */
export async function checkPassword(stored: string | null | undefined, password: string): Promise<boolean> {
  nobody ??= hashPassword('nobody has this password')
  const against = stored ?? (await nobody)
  let matches = false
  for (const form of formsOf(password)) matches ||= await verify(against, form)
  return matches && typeof stored === 'string'
}
