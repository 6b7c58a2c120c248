import {
  type AuthenticatorSecret,
  type NewPasskey,
  type OwnSecondFactor,
  passkeysMax,
  type PasskeyOptions,
  type Proof,
  type RecoveryCodes,
  type SecondFactorAnswer,
  type SecondFactors,
} from '#shared/schemas/auth.ts'
import { AppError, badRequest, conflict, notFound } from '#server/errors.ts'
import { lockAsChecked } from '../account-access.service.ts'
import { findDealer, updateDealer } from '#server/features/dealers/dealers.service.ts'
import type { Context } from '#server/platform/process/context.ts'
import { brokenConstraint, type Db, type Tx } from '#server/platform/database/db.ts'
import type { Limit } from '#server/platform/limits.ts'
import { decrypt, encrypt } from '#server/platform/signing-and-encryption.ts'
import { type Actor, staffNeedSecondFactor } from '#server/platform/session/session.ts'
import { isProven } from '#server/platform/session/session.repository.ts'
import type { Emit } from '#server/platform/database/transact.ts'
import { endSessions } from '../auth-sessions.service.ts'
import { checkPassword } from '../passwords.ts'
import { logFailures } from '../security-log.ts'
import { insertPasskey, listPasskeys, removePasskey, removePasskeys, updatePasskeyName } from './passkeys.repository.ts'
import {
  acceptPasskey,
  optionsToAdd,
  optionsToProve,
  readMadePasskey,
  type Site,
  consumeChallenge,
} from './passkeys.service.ts'
import { digitsOf, forApp, hashRecoveryCode, newRecoveryCodes, newSecret, stepOf } from './second-factor-codes.ts'
import {
  countRecoveryCodes,
  findAuthenticator,
  removeAuthenticator,
  removeRecoveryCode,
  removeRecoveryCodes,
  removeWaits,
  replaceRecoveryCodes,
  updateLastStep,
  updateSecret,
  upsertWaitingSecret,
} from './second-factor.repository.ts'

const changes: Limit = { name: 'second-factor-change', max: 10, seconds: 60 }
/** Limits the CPU time spent on checking passwords. */
const proofs: Limit = { name: 'proof', max: 30, seconds: 60 }
/** Counts wrong passwords only. */
const wrongPasswords: Limit = { name: 'account-password', max: 5, seconds: 60 }
/** Gives a stolen session no more guesses than a stolen password. */
const codesPerHour: Limit = { name: 'proof-code-hour', max: 30, seconds: 3_600 }

/** Encryption context of app secrets. Changing it makes them unreadable. */
const purpose = 'authenticator'

interface Account {
  id: string
  email: string
  secondFactorAt: Date | null
}

type Keys = Pick<Context['config'], 'secret'>

const openSecret = ({ secret }: Keys, dealerId: string, kept: Buffer | null): Buffer | undefined =>
  kept === null ? undefined : decrypt(secret, purpose, dealerId, kept)

async function appOf(db: Db, keys: Keys, dealerId: string): Promise<OwnSecondFactor['app']> {
  const kept = (await findAuthenticator(db, dealerId))?.secret ?? null
  if (kept === null) return 'off'
  return openSecret(keys, dealerId, kept) === undefined ? 'unreadable' : 'on'
}

/** Returns the factors that the account can use at sign-in. */
export async function secondFactorsOf(
  { db, config }: Pick<Context, 'db' | 'config'>,
  dealerId: string,
): Promise<SecondFactors> {
  const [app, passkeys, left] = await Promise.all([
    appOf(db, config, dealerId),
    listPasskeys(db, dealerId),
    countRecoveryCodes(db, dealerId),
  ])
  return { app: app === 'on', appUnreadable: app === 'unreadable', passkey: passkeys.length > 0, recovery: left > 0 }
}

export async function ownSecondFactor(
  { db, config }: Pick<Context, 'db' | 'config'>,
  dealer: { id: string; role: string },
): Promise<OwnSecondFactor> {
  const [app, passkeys, recoveryCodesLeft, staff] = await Promise.all([
    appOf(db, config, dealer.id),
    listPasskeys(db, dealer.id),
    countRecoveryCodes(db, dealer.id),
    staffNeedSecondFactor(db, config),
  ])
  return { required: dealer.role !== 'dealer' && staff, app, passkeys, recoveryCodesLeft }
}

/** An answer with everything needed to check it. Its challenge is consumed even if the answer is wrong. */
export interface GivenAnswer {
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

/** Checks an answer with the account locked. Returns undefined if right, otherwise the reason. Codes work once. */
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

type Owner = Awaited<ReturnType<typeof findOwner>>

/** True if the session itself is proof enough. Always true for demo visitors, who have no Google account or mailbox. */
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
    ? 'Enter a code of your app or use a passkey, then try again'
    : 'Enter your password, then try again'
}

/** @throws 403 naming the field */
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

/** The proof, and the site for which a passkey is verified. */
export interface GivenProof {
  proof: Proof | undefined
  site: Site
}

/** A proof that passed every check that does not use up a code. */
interface CheckedProof {
  owner: Owner
  /**
   * Makes the change in a transaction that locks the account and uses up the code. If the change is refused, the code
   * stays usable.
   * @throws 403 for a wrong code, 401 if the account or the session changed meanwhile, 429
   */
  change: <Result>(
    work: (tx: Tx, emit: Emit, owner: Awaited<ReturnType<typeof lockAsChecked>>) => Promise<Result>,
  ) => Promise<Result>
}

/**
 * Requires proof before a change of access: the password, or the second factor of an account without one. An account
 * with neither needs a session that was opened, or proven by a mailed link, in the last 15 minutes. Make cheap checks
 * first, and the change with `change` of the result.
 * @throws 403 `proof_required` if the proof is missing, 403 naming the field if the password is wrong, 429
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

async function findOwner(ctx: Context, actor: Actor, limit = changes) {
  await ctx.limiter.consume(limit, actor.dealerId)
  const owner = await findDealer(ctx.db, actor.dealerId)
  if (owner === undefined) throw notFound('Your account')
  return owner
}

export type FactorAdded = RecoveryCodes & { isFirst: boolean }

async function finishSetup(tx: Tx, emit: Emit, dealer: Account, now: Date): Promise<FactorAdded> {
  const isFirst = dealer.secondFactorAt === null
  if (isFirst) {
    await updateDealer(tx, dealer.id, { secondFactorAt: now })
    await endSessions(tx, emit, dealer.id)
  }
  await emit.job('mail.accessChanged', { to: dealer.email, what: 'factor.added' })
  const left = isFirst ? 0 : await countRecoveryCodes(tx, dealer.id)
  return { isFirst, recoveryCodes: left > 0 ? null : await makeRecoveryCodes(tx, dealer.id) }
}

async function makeRecoveryCodes(tx: Tx, dealerId: string): Promise<string[]> {
  const codes = newRecoveryCodes()
  await replaceRecoveryCodes(
    tx,
    dealerId,
    codes.map((code) => hashRecoveryCode(dealerId, code)),
  )
  return codes
}

/** Creates a secret for an authenticator app. The old secret works until a new code is confirmed, within 15 minutes. */
export async function startAuthenticator(ctx: Context, actor: Actor, given: GivenProof): Promise<AuthenticatorSecret> {
  const { change } = await checkProof(ctx, actor, given)
  const secret = newSecret()
  return change(async (tx, _emit, { id, email }) => {
    await upsertWaitingSecret(tx, id, encrypt(ctx.config.secret, purpose, id, secret))
    return forApp(secret, email)
  })
}

/** @throws 400 for a wrong code, 409 if no setup is waiting */
export async function confirmAuthenticator(ctx: Context, actor: Actor, code: string): Promise<FactorAdded> {
  const owner = await findOwner(ctx, actor)
  const now = ctx.now()
  return ctx.transact(async (tx, emit) => {
    const dealer = await lockAsChecked(tx, actor, owner)
    const row = await findAuthenticator(tx, dealer.id)
    const isOver = row === undefined || row.waitingUntil === null || row.waitingUntil < now
    const secret = isOver ? undefined : openSecret(ctx.config, dealer.id, row.waiting)
    if (secret === undefined) throw conflict('This setup has expired. Start again')
    const step = stepOf(secret, digitsOf(code) ?? '', now.getTime())
    if (step === undefined)
      throw badRequest('This code is incorrect. Enter the one your app shows now', { fields: ['code'] })
    await updateSecret(tx, dealer.id, encrypt(ctx.config.secret, purpose, dealer.id, secret), step)
    return finishSetup(tx, emit, dealer, now)
  })
}

/** @throws 409 if there are too many already */
export async function startPasskey(ctx: Context, actor: Actor, given: GivenProof): Promise<PasskeyOptions> {
  const { owner, change } = await checkProof(ctx, actor, given)
  await change(async (tx, _emit, { id }) => {
    if ((await listPasskeys(tx, id)).length >= passkeysMax) throw tooMany()
  })
  return optionsToAdd(ctx, given.site, owner)
}

const tooMany = () => conflict(`You already have ${passkeysMax} passkeys. Remove one you no longer use`)
const notMade = () => badRequest('This passkey could not be read or timed out. Try again')

/** @throws 400 if the passkey does not answer a challenge of this account, 409 if it is known or there are too many */
export async function addPasskey(
  ctx: Context,
  actor: Actor,
  { name, passkey }: NewPasskey,
  site: Site,
): Promise<FactorAdded> {
  const owner = await findOwner(ctx, actor)
  const challenge = await consumeChallenge(ctx, 'add', owner.id, passkey)
  const made = challenge && (await readMadePasskey(passkey, challenge, site))
  if (!made) throw notMade()
  const now = ctx.now()
  try {
    return await ctx.transact(async (tx, emit) => {
      const dealer = await lockAsChecked(tx, actor, owner)
      if ((await listPasskeys(tx, dealer.id)).length >= passkeysMax) throw tooMany()
      await insertPasskey(tx, { ...made, dealerId: dealer.id, name })
      return finishSetup(tx, emit, dealer, now)
    })
  } catch (error) {
    if (brokenConstraint(error) === 'passkeys_credential_key') throw conflict('This passkey is already registered')
    throw error
  }
}

/** @throws 404 for another dealer's passkey */
export async function renamePasskey(ctx: Context, actor: Actor, id: string, name: string): Promise<void> {
  if (!(await updatePasskeyName(ctx.db, actor.dealerId, id, name))) throw notFound('This passkey')
}

/** @throws 404 if the factor does not exist, 409 if it is the last one and required */
async function removeFactor(
  ctx: Context,
  actor: Actor,
  given: GivenProof,
  remove: (tx: Tx) => Promise<boolean>,
): Promise<void> {
  const { change } = await checkProof(ctx, actor, given)
  await change(async (tx, emit, dealer) => {
    if (!(await remove(tx))) throw notFound('This')
    const rest = await ownSecondFactor({ db: tx, config: ctx.config }, dealer)
    if (rest.app === 'off' && rest.passkeys.length === 0) {
      if (rest.required)
        throw conflict('This network requires a second factor for staff. Add another one before you remove this one')
      await clearSecondFactor(tx, dealer.id)
    }
    await emit.job('mail.accessChanged', { to: dealer.email, what: 'factor.removed' })
  })
}

export const turnOffAuthenticator = (ctx: Context, actor: Actor, given: GivenProof): Promise<void> =>
  removeFactor(ctx, actor, given, (tx) => removeAuthenticator(tx, actor.dealerId))

export const deletePasskey = (ctx: Context, actor: Actor, id: string, given: GivenProof): Promise<void> =>
  removeFactor(ctx, actor, given, (tx) => removePasskey(tx, actor.dealerId, id))

/** Replaces the recovery codes. @throws 409 without a second factor */
export async function renewRecoveryCodes(ctx: Context, actor: Actor, given: GivenProof): Promise<RecoveryCodes> {
  const { change } = await checkProof(ctx, actor, given)
  return change(async (tx, _emit, { id, secondFactorAt }) => {
    if (secondFactorAt === null) throw conflict('Set up an app or a passkey first')
    return { recoveryCodes: await makeRecoveryCodes(tx, id) }
  })
}

/** Removes the account's second factor. The caller holds the account's lock. */
export async function clearSecondFactor(tx: Tx, dealerId: string): Promise<void> {
  await removeAuthenticator(tx, dealerId)
  await removePasskeys(tx, dealerId)
  await removeRecoveryCodes(tx, dealerId)
  await removeWaits(tx, dealerId)
  await updateDealer(tx, dealerId, { secondFactorAt: null })
}
