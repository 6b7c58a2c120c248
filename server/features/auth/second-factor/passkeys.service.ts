import { randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { MadePasskey, PasskeyAnswer, PasskeyOptions } from '#shared/schemas/auth.ts'
import type { Context } from '#server/platform/context.ts'
import { ownOrigin } from '#server/platform/csrf.ts'
import type { Db, Tx } from '#server/platform/db.ts'
import {
  type ChallengePurpose,
  findPasskey,
  insertChallenge,
  listCredentials,
  removeChallenge,
  updateCounter,
} from './passkeys.repository.ts'

/** Where the browser is, as a passkey knows it (WebAuthn Level 3, §5.1.2: origin and RP ID). */
export interface Site {
  origin: string
  rpId: string
}

export function siteOf(config: Context['config'], request: FastifyRequest): Site {
  const origin = ownOrigin(config, request)
  return { origin, rpId: new URL(origin).hostname }
}

// Not loaded where nobody has a passkey.
const webAuthn = () => import('@simplewebauthn/server')

const challengeBytes = 32
const credentialOf = (id: string): Buffer => Buffer.from(id, 'base64url')
const withoutExtensions = { clientExtensionResults: {} }

/** The dealer as a passkey knows them: an id that says nothing of who it is. */
const handleOf = (dealerId: string): Buffer => Buffer.from(dealerId.replaceAll('-', ''), 'hex')

async function issueChallenge(
  db: Db,
  purpose: ChallengePurpose,
  dealerId: string | null,
): Promise<Uint8Array<ArrayBuffer>> {
  const challenge = new Uint8Array(randomBytes(challengeBytes))
  await insertChallenge(db, { challenge: Buffer.from(challenge), purpose, dealerId })
  return challenge
}

/** What a new passkey of the account is made with. */
export async function optionsToAdd(
  { db }: Pick<Context, 'db'>,
  { rpId }: Site,
  dealer: { id: string; email: string; name: string },
): Promise<PasskeyOptions> {
  const { generateRegistrationOptions } = await webAuthn()
  const options = await generateRegistrationOptions({
    rpName: 'Lanewire',
    rpID: rpId,
    userID: new Uint8Array(handleOf(dealer.id)),
    userName: dealer.email,
    userDisplayName: dealer.name || dealer.email,
    challenge: await issueChallenge(db, 'add', dealer.id),
    excludeCredentials: await listCredentials(db, dealer.id),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  })
  return { options: { ...options } }
}

/** What one of the account's own passkeys signs. */
export async function optionsToProve(
  { db }: Pick<Context, 'db'>,
  { rpId }: Site,
  purpose: 'prove' | 'second',
  dealerId: string,
): Promise<PasskeyOptions> {
  const { generateAuthenticationOptions } = await webAuthn()
  const options = await generateAuthenticationOptions({
    rpID: rpId,
    challenge: await issueChallenge(db, purpose, dealerId),
    allowCredentials: await listCredentials(db, dealerId),
    userVerification: 'preferred',
  })
  return { options: { ...options } }
}

/** What any passkey signs that knows whose it is, and has its owner prove to be there. */
export async function optionsToSignIn({ db }: Pick<Context, 'db'>, { rpId }: Site): Promise<PasskeyOptions> {
  const { generateAuthenticationOptions } = await webAuthn()
  const options = await generateAuthenticationOptions({
    rpID: rpId,
    challenge: await issueChallenge(db, 'sign-in', null),
    userVerification: 'required',
  })
  return { options: { ...options } }
}

/** The challenge that was signed, used up; undefined where it was not issued here for this, is too old, or was used. */
export async function takeChallenge(
  { db }: Pick<Context, 'db'>,
  purpose: ChallengePurpose,
  dealerId: string | null,
  { response }: MadePasskey | PasskeyAnswer,
): Promise<string | undefined> {
  const challenge = challengeIn(response.clientDataJSON)
  if (challenge === undefined) return undefined
  const taken = await removeChallenge(db, { challenge: credentialOf(challenge), purpose, dealerId })
  return taken ? challenge : undefined
}

function challengeIn(clientData: string): string | undefined {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientData, 'base64url').toString()) as { challenge?: unknown }
    return typeof challenge === 'string' ? challenge : undefined
  } catch {
    return undefined
  }
}

/** A passkey that was made for this challenge, as it is stored; undefined where it was not. No word of its maker is asked for. */
export async function readMadePasskey(made: MadePasskey, challenge: string, { origin, rpId }: Site) {
  const { verifyRegistrationResponse } = await webAuthn()
  const { transports = [], ...response } = made.response
  const answer = await verifyRegistrationResponse({
    response: { ...made, ...withoutExtensions, response },
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpId,
    requireUserVerification: false,
  }).catch(() => ({ verified: false as const }))
  if (!answer.verified || answer.registrationInfo === undefined) return undefined
  const { id, publicKey, counter } = answer.registrationInfo.credential
  return { credential: credentialOf(id), publicKey: Buffer.from(publicKey), counter, transports }
}

/**
 * Whether this passkey of the account has signed the challenge; its counter goes on. `alone`: it has also made sure that its
 * owner is there (by finger, face or PIN), and says whose it is.
 */
export async function acceptPasskey(
  tx: Tx,
  dealerId: string,
  { answer, challenge, site, alone = false }: { answer: PasskeyAnswer; challenge: string; site: Site; alone?: boolean },
): Promise<boolean> {
  const passkey = await findPasskey(tx, credentialOf(answer.id))
  if (passkey?.dealerId !== dealerId) return false
  const { userHandle, ...response } = answer.response
  if (alone && userHandle !== handleOf(dealerId).toString('base64url')) return false
  const { verifyAuthenticationResponse } = await webAuthn()
  const read = await verifyAuthenticationResponse({
    response: { ...answer, ...withoutExtensions, response },
    expectedChallenge: challenge,
    expectedOrigin: site.origin,
    expectedRPID: site.rpId,
    credential: { id: answer.id, publicKey: new Uint8Array(passkey.publicKey), counter: passkey.counter },
    requireUserVerification: alone,
  }).catch(() => undefined)
  return read?.verified === true && updateCounter(tx, passkey.id, read.authenticationInfo.newCounter)
}

/** Whose passkey this is. */
export async function ownerOf({ db }: Pick<Context, 'db'>, { id }: PasskeyAnswer): Promise<string | undefined> {
  return (await findPasskey(db, credentialOf(id)))?.dealerId
}
