import type { SecondFactorAnswer } from '#shared/schemas/auth.ts'
import type { Context } from '#server/platform/process/context.ts'
import type { Tx } from '#server/platform/database/db.ts'
import { decrypt } from '#server/platform/signing-and-encryption.ts'
import type { Emit } from '#server/platform/database/transact.ts'
import { acceptPasskey, type Site, consumeChallenge } from './passkeys.service.ts'
import { digitsOf, hashRecoveryCode, stepOf } from './second-factor-codes.ts'
import { findAuthenticator, removeRecoveryCode, updateLastStep } from './second-factor.repository.ts'

/** Encryption context of authenticator secrets. Changing it would make stored secrets unreadable. */
export const purpose = 'authenticator'

export interface Account {
  id: string
  email: string
  secondFactorAt: Date | null
}

export type Keys = Pick<Context['config'], 'secret'>

export const openSecret = ({ secret }: Keys, dealerId: string, kept: Buffer | null): Buffer | undefined =>
  kept === null ? undefined : decrypt(secret, purpose, dealerId, kept)

/** An answer and its challenge, which is used up even if the answer is wrong. */
interface GivenAnswer {
  answer: SecondFactorAnswer
  challenge: string | undefined
  site: Site
  keys: Keys
  nowMs: number
}

export async function readAnswer(
  ctx: Context,
  dealerId: string,
  { answer, site, asked }: { answer: SecondFactorAnswer; site: Site; asked: 'prove' | 'second' },
): Promise<GivenAnswer> {
  const challenge = answer.passkey && (await consumeChallenge(ctx, asked, dealerId, answer.passkey))
  return { answer, challenge, site, keys: ctx.config, nowMs: ctx.now().getTime() }
}

export const factorRefusals = {
  wrong_code: 'This code is incorrect. Enter the one your app shows now, or a recovery code',
  used_code: 'This code was already used. Wait for the next one',
  unreadable_app:
    "This server's keys changed, so your app's codes no longer work. Use a recovery code or a passkey, then set up the app again",
  passkey_refused: 'This passkey was not accepted. Try again',
} as const
type Refusal = keyof typeof factorRefusals

/** Returns why the answer is rejected, or undefined if it is correct. Each code works only once. The caller must lock the account. */
export async function refusalOf(tx: Tx, emit: Emit, dealer: Account, given: GivenAnswer): Promise<Refusal | undefined> {
  const { answer, challenge, site } = given
  if (answer.passkey !== undefined) {
    const accepted =
      challenge !== undefined && (await acceptPasskey(tx, dealer.id, { answer: answer.passkey, challenge, site }))
    return accepted ? undefined : 'passkey_refused'
  }
  const digits = digitsOf(answer.code ?? '')
  if (digits !== undefined) return refusalOfDigits(tx, dealer, digits, given)
  if (!(await removeRecoveryCode(tx, dealer.id, hashRecoveryCode(dealer.id, answer.code ?? '')))) return 'wrong_code'
  await emit.job('mail.accessChanged', { to: dealer.email, what: 'recoveryCode.used' })
  return undefined
}

async function refusalOfDigits(
  tx: Tx,
  dealer: Account,
  digits: string,
  { keys, nowMs }: GivenAnswer,
): Promise<Refusal | undefined> {
  const kept = (await findAuthenticator(tx, dealer.id))?.secret ?? null
  if (kept === null) return 'wrong_code'
  const secret = openSecret(keys, dealer.id, kept)
  if (secret === undefined) return 'unreadable_app'
  const step = stepOf(secret, digits, nowMs)
  if (step === undefined) return 'wrong_code'
  return (await updateLastStep(tx, dealer.id, step)) ? undefined : 'used_code'
}
