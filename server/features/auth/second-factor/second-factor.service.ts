import {
  type AuthenticatorSecret,
  type NewPasskey,
  type OwnSecondFactor,
  passkeysMax,
  type PasskeyOptions,
  type RecoveryCodes,
  type SecondFactors,
} from '#shared/schemas/auth.ts'
import { badRequest, conflict, notFound } from '#server/errors.ts'
import { lockAsChecked } from '../account-access.service.ts'
import { updateDealer } from '#server/features/dealers/dealers.service.ts'
import type { Context } from '#server/platform/process/context.ts'
import { brokenConstraint, type Db, type Tx } from '#server/platform/database/db.ts'
import { encrypt } from '#server/platform/signing-and-encryption.ts'
import { type Actor, staffNeedSecondFactor } from '#server/platform/session/session.ts'
import type { Emit } from '#server/platform/database/transact.ts'
import { endSessions } from '../auth-sessions.service.ts'
import { insertPasskey, listPasskeys, removePasskey, removePasskeys, updatePasskeyName } from './passkeys.repository.ts'
import { optionsToAdd, readMadePasskey, type Site, consumeChallenge } from './passkeys.service.ts'
import { digitsOf, forApp, hashRecoveryCode, newRecoveryCodes, newSecret, stepOf } from './second-factor-codes.ts'
import {
  countRecoveryCodes,
  findAuthenticator,
  removeAuthenticator,
  removeRecoveryCodes,
  removeWaits,
  replaceRecoveryCodes,
  updateSecret,
  upsertWaitingSecret,
} from './second-factor.repository.ts'
import { purpose, type Account, type Keys, openSecret } from './second-factor-answers.service.ts'
import { type GivenProof, checkProof, findOwner } from './proof.service.ts'

async function appOf(db: Db, keys: Keys, dealerId: string): Promise<OwnSecondFactor['app']> {
  const kept = (await findAuthenticator(db, dealerId))?.secret ?? null
  if (kept === null) return 'off'
  return openSecret(keys, dealerId, kept) === undefined ? 'unreadable' : 'on'
}

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

/** Creates a secret for an authenticator app. The old secret works until a code of the new one is confirmed within 15 minutes. */
export async function startAuthenticator(ctx: Context, actor: Actor, given: GivenProof): Promise<AuthenticatorSecret> {
  const { change } = await checkProof(ctx, actor, given)
  const secret = newSecret()
  return change(async (tx, _emit, { id, email }) => {
    await upsertWaitingSecret(tx, id, encrypt(ctx.config.secret, purpose, id, secret))
    return forApp(secret, email)
  })
}

/** @throws 400 if the code is wrong; 409 if no setup is pending */
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

/** @throws 409 if the account already has the maximum number of passkeys */
export async function startPasskey(ctx: Context, actor: Actor, given: GivenProof): Promise<PasskeyOptions> {
  const { owner, change } = await checkProof(ctx, actor, given)
  await change(async (tx, _emit, { id }) => {
    if ((await listPasskeys(tx, id)).length >= passkeysMax) throw tooMany()
  })
  return optionsToAdd(ctx, given.site, owner)
}

const tooMany = () => conflict(`You already have ${passkeysMax} passkeys. Remove one you no longer use`)
const notMade = () => badRequest('This passkey could not be read or timed out. Try again')

/** @throws 400 if the passkey is invalid; 409 if it is already registered or the account has the maximum number of passkeys */
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

/** @throws 404 if the passkey does not exist or belongs to another dealer */
export async function renamePasskey(ctx: Context, actor: Actor, id: string, name: string): Promise<void> {
  if (!(await updatePasskeyName(ctx.db, actor.dealerId, id, name))) throw notFound('This passkey')
}

/** @throws 404 if the factor does not exist; 409 if it is the last one and the network requires a second factor */
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

/** @throws 409 if the account has no second factor */
export async function renewRecoveryCodes(ctx: Context, actor: Actor, given: GivenProof): Promise<RecoveryCodes> {
  const { change } = await checkProof(ctx, actor, given)
  return change(async (tx, _emit, { id, secondFactorAt }) => {
    if (secondFactorAt === null) throw conflict('Set up an app or a passkey first')
    return { recoveryCodes: await makeRecoveryCodes(tx, id) }
  })
}

/** Removes all second factors. The caller must lock the account. */
export async function clearSecondFactor(tx: Tx, dealerId: string): Promise<void> {
  await removeAuthenticator(tx, dealerId)
  await removePasskeys(tx, dealerId)
  await removeRecoveryCodes(tx, dealerId)
  await removeWaits(tx, dealerId)
  await updateDealer(tx, dealerId, { secondFactorAt: null })
}
