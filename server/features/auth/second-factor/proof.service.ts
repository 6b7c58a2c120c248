import type { PasskeyOptions, Proof } from '#shared/schemas/auth.ts'
import { AppError, notFound } from '#server/errors.ts'
import { lockAsChecked } from '../account-access.service.ts'
import { findDealer } from '#server/features/dealers/dealers.service.ts'
import type { Context } from '#server/platform/process/context.ts'
import type { Tx } from '#server/platform/database/db.ts'
import type { Limit } from '#server/platform/limits.ts'
import type { Actor } from '#server/platform/session/session.ts'
import { isProven, updateProven } from '#server/platform/session/session.repository.ts'
import type { Emit } from '#server/platform/database/transact.ts'
import { checkPassword } from '../passwords.ts'
import { logFailures } from '../security-log.ts'
import { optionsToProve, type Site } from './passkeys.service.ts'
import { readAnswer, factorRefusals, refusalOf } from './second-factor-answers.service.ts'
import { deadLink, redeemLink } from '../auth-tokens.service.ts'

const changes: Limit = { name: 'second-factor-change', max: 10, seconds: 60 }
/** Limits proofs per account, because checking a password takes CPU time. */
const proofs: Limit = { name: 'proof', max: 30, seconds: 60 }
const wrongPasswords: Limit = { name: 'account-password', max: 5, seconds: 60 }
/** Limits codes per account, so that a stolen session allows no more guesses than a stolen password. */
const codesPerHour: Limit = { name: 'proof-code-hour', max: 30, seconds: 3_600 }

type Owner = Awaited<ReturnType<typeof findOwner>>

/** True if the session was proven recently. Always true for demo visitors, who have no Google account or mailbox. */
export async function isSessionProven(
  { db, config }: Context,
  actor: Actor,
  owner: Pick<Owner, 'id' | 'demo'>,
): Promise<boolean> {
  return (config.demo && owner.demo) || isProven(db, owner.id, Buffer.from(actor.sessionId, 'hex'))
}

async function missingProof(ctx: Context, actor: Actor, owner: Owner, isGiven: boolean): Promise<string | undefined> {
  const { passwordHash, secondFactorAt } = owner
  if (passwordHash === null && secondFactorAt === null)
    return (await isSessionProven(ctx, actor, owner))
      ? undefined
      : 'Continue with Google again, or open the link we email you, then try again'
  if (isGiven) return undefined
  return passwordHash === null
    ? 'Enter a code from your app or use a passkey, then try again'
    : 'Enter your password, then try again'
}

/** @throws 403 if the password is missing or wrong; 429 after too many wrong passwords */
async function assertPassword(ctx: Context, { id, passwordHash }: Owner, password: string | undefined): Promise<void> {
  if (passwordHash === null) return
  await logFailures(ctx, 'proof', undefined, async (attempt) => {
    attempt.dealerId = id
    await ctx.limiter.consume(wrongPasswords, id)
    if (await checkPassword(passwordHash, password ?? '')) return ctx.limiter.uncount(wrongPasswords, id)
    const error = new AppError(403, 'forbidden', 'Your password is incorrect', { fields: ['password'] })
    throw password ? attempt.refused('wrong_password', error) : error
  })
}

/** The proof that the dealer sent. A passkey is verified for `site`. */
export interface GivenProof {
  proof: Proof | undefined
  site: Site
}

/** A proof that passed all checks except those that use up a code. */
interface CheckedProof {
  owner: Owner
  /**
   * Runs `work` on the locked account. Uses up the code unless `work` throws.
   * @throws 403 if the code is wrong; 401 if the account or the session has changed in the meantime; 429 after too many codes
   */
  change: <Result>(
    work: (tx: Tx, emit: Emit, owner: Awaited<ReturnType<typeof lockAsChecked>>) => Promise<Result>,
  ) => Promise<Result>
}

/**
 * Requires proof of identity: the password, or a second factor if there is no password. An account with neither needs a session that was
 * opened or proven by an emailed link in the last 15 minutes.
 * @throws 403 `proof_required` if the proof is missing; 403 with the name of the field if the password is wrong; 429 after many attempts
 */
export async function checkProof(ctx: Context, actor: Actor, { proof = {}, site }: GivenProof): Promise<CheckedProof> {
  const isGiven = [proof.password, proof.code, proof.passkey].some((part) => part !== undefined)
  const owner = await findOwner(ctx, actor, proofs)
  if (isGiven) await assertPassword(ctx, owner, proof.password)
  const missing = await missingProof(ctx, actor, owner, isGiven)
  if (missing !== undefined) throw new AppError(403, 'proof_required', missing)
  if (owner.passwordHash !== null || owner.secondFactorAt === null)
    return {
      owner,
      change: (work) => ctx.transact(async (tx, emit) => work(tx, emit, await lockAsChecked(tx, actor, owner))),
    }
  return {
    owner,
    change: (work) =>
      logFailures(ctx, 'proof', undefined, async (attempt) => {
        attempt.dealerId = owner.id
        await ctx.limiter.consume(codesPerHour, owner.id)
        const given = await readAnswer(ctx, owner.id, { answer: proof, site, asked: 'prove' })
        return ctx.transact(async (tx, emit) => {
          const locked = await lockAsChecked(tx, actor, owner)
          const refusal = await refusalOf(tx, emit, owner, given)
          if (refusal !== undefined)
            throw attempt.refused(
              refusal,
              new AppError(403, 'forbidden', factorRefusals[refusal], { fields: ['code'] }),
            )
          return work(tx, emit, locked)
        })
      }),
  }
}

export const proofOptions = (ctx: Context, actor: Actor, site: Site): Promise<PasskeyOptions> =>
  optionsToProve(ctx, site, 'prove', actor.dealerId)

export async function findOwner(ctx: Context, actor: Actor, limit = changes) {
  await ctx.limiter.consume(limit, actor.dealerId)
  const owner = await findDealer(ctx.db, actor.dealerId)
  if (owner === undefined) throw notFound('Your account')
  return owner
}

const mailsPerAccount: Limit = { name: 'proof-mail', max: 5, seconds: 3_600 }
const linkTries: Limit = { name: 'proof-link', max: 20, seconds: 60 }

/** Emails a link that proves the session in which it is opened. */
export async function mailProofLink(ctx: Context, actor: Actor): Promise<void> {
  await ctx.limiter.consume(mailsPerAccount, actor.dealerId)
  await ctx.transact(async (_tx, emit) => emit.job('mail.proof', { dealerId: actor.dealerId }))
}

/** Proves only the session that opens the link, not a thief's. @throws 400 if the link is invalid or was sent to another account */
export async function proveByLink(ctx: Context, actor: Actor, token: string): Promise<void> {
  await ctx.limiter.consume(linkTries, actor.dealerId)
  await ctx.transact(async (tx) => {
    const { dealer } = await redeemLink(tx, 'prove', token)
    if (dealer.id !== actor.dealerId) throw deadLink()
    await updateProven(tx, dealer.id, Buffer.from(actor.sessionId, 'hex'))
  })
}
