import { randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { MadePasskey, PasskeyAnswer, PasskeyOptions } from '#shared/schemas/auth.ts'
import type { Context } from '#server/platform/process/context.ts'
import { ownOrigin } from '#server/platform/http/csrf.ts'
import type { Db, Tx } from '#server/platform/database/db.ts'
import {
  type ChallengePurpose,
  findPasskey,
  insertChallenge,
  listCredentials,
  removeChallenge,
  updateCounter,
} from './passkeys.repository.ts'

/** The relying party id and its origin (WebAuthn Level 3, 5.1.2). */
export interface Site {
  origin: string
  rpId: string
}

export function siteOf(config: Context['config'], request: FastifyRequest): Site {
  const origin = ownOrigin(config, request)
  return { origin, rpId: new URL(origin).hostname }
}

// Load the library only when a passkey is used.
const webAuthn = () => import('@simplewebauthn/server')

const challengeBytes = 32
const credentialOf = (id: string): Buffer => Buffer.from(id, 'base64url')
const withoutExtensions = { clientExtensionResults: {} }

/** The user handle must reveal nothing about the dealer. */
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

export async function optionsToSignIn({ db }: Pick<Context, 'db'>, { rpId }: Site): Promise<PasskeyOptions> {
  const { generateAuthenticationOptions } = await webAuthn()
  const options = await generateAuthenticationOptions({
    rpID: rpId,
    challenge: await issueChallenge(db, 'sign-in', null),
    userVerification: 'required',
  })
  return { options: { ...options } }
}

/** Uses up the signed challenge and returns it. Returns undefined if the challenge is unknown, expired or already used. */
export async function consumeChallenge(
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

/** Verifies a new passkey. Returns undefined if it is invalid. Does not check attestation. */
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

/** Verifies a passkey's response and updates its counter. Without a password (`alone`), the device must also verify its user. */
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

export async function ownerOf({ db }: Pick<Context, 'db'>, { id }: PasskeyAnswer): Promise<string | undefined> {
  return (await findPasskey(db, credentialOf(id)))?.dealerId
}
