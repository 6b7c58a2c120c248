import { hash, verify } from '@node-rs/argon2'
import { passwordMin } from '#shared/constants/auth.ts'
import { badRequest } from '#server/errors.ts'
import { isCommonPassword } from './common-passwords.ts'

/** Normalizes to NFC, because keyboards send é as one or two code points (NIST SP 800-63B, 3.1.1.2). */
const normalized = (password: string): string => password.normalize('NFC')

/** @throws 400 if the password is too short or too common */
export function assertGoodPassword(password: string, email: string): void {
  const text = normalized(password)
  if ([...text].length < passwordMin)
    throw badRequest(`Choose a password of at least ${passwordMin} characters`, { fields: ['password'] })
  if (isCommonPassword(text, email))
    throw badRequest('This password is too common. Choose a longer or less common one', { fields: ['password'] })
}

/** OWASP's first recommendation for argon2id (19 MiB, 2 passes). */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Hash that is verified for unknown accounts, so that they take as long as a wrong password. */
let dummyHash: Promise<string> | undefined

export const hashPassword = (password: string): Promise<string> => hash(normalized(password), parameters)

/** Includes other Unicode forms, because earlier versions hashed passwords without normalizing them. */
const formsOf = (password: string): Set<string> => new Set([normalized(password), password, password.normalize('NFD')])

export async function checkPassword(stored: string | null | undefined, password: string): Promise<boolean> {
  dummyHash ??= hashPassword('nobody has this password')
  const against = stored ?? (await dummyHash)
  let matches = false
  for (const form of formsOf(password)) matches ||= await verify(against, form)
  return matches && typeof stored === 'string'
}
