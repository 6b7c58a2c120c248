import type { AuthStatus } from '#shared/schemas/auth.ts'
import type { Config } from '#server/config.ts'
import { demoAccounts, demoPassword } from './demo-accounts.ts'

/** Credentials that prefill the sign-in form in demo mode. */
export function sampleLogin(config: Config): AuthStatus['sampleLogin'] {
  const [first] = demoAccounts
  return config.demo && first ? { email: first.email, password: demoPassword } : null
}
