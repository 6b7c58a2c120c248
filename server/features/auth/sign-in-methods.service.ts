import type { Tx } from '#server/platform/database/db.ts'
import { revokeAllKeys } from './api-keys/api-keys.repository.ts'
import { dropIdentities } from './auth-tokens.service.ts'
import { clearSecondFactor } from './second-factor/second-factor.service.ts'

/** Removes every way to sign in except the password. The caller must lock the account. */
export async function removeSignInMethods(tx: Tx, dealerId: string): Promise<void> {
  await revokeAllKeys(tx, dealerId)
  await dropIdentities(tx, dealerId)
  await clearSecondFactor(tx, dealerId)
}
