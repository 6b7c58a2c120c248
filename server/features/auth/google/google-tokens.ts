import { createRemoteJWKSet, errors, type JWTVerifyGetKey, jwtVerify } from 'jose'
import Type, { type Static } from 'typebox'
import Value from 'typebox/value'
import { badRequest } from '#server/errors.ts'

export const googleIssuer = 'https://accounts.google.com'
const googleKeys = 'https://www.googleapis.com/oauth2/v3/certs'
const answerWithinMs = 5_000

const Claims = Type.Object({
  sub: Type.String({ minLength: 1 }),
  email: Type.Optional(Type.String()),
  email_verified: Type.Optional(Type.Boolean()),
  name: Type.Optional(Type.String()),
})
export type GoogleClaims = Static<typeof Claims>

const Discovery = Type.Object({ jwks_uri: Type.String() })

/** The key URL of Google is hard-coded. For a test issuer, OpenID Connect Discovery (section 4) returns it. */
async function keysOf(issuer: string): Promise<JWTVerifyGetKey> {
  if (issuer === googleIssuer) return createRemoteJWKSet(new URL(googleKeys))
  const signal = AbortSignal.timeout(answerWithinMs)
  const answer: unknown = await (await fetch(`${issuer}/.well-known/openid-configuration`, { signal })).json()
  return createRemoteJWKSet(new URL(Value.Parse(Discovery, answer).jwks_uri))
}

/** Creates a validator for ID tokens (OpenID Connect Core, section 3.1.3.7). It caches the issuer's keys. */
export function createTokenReader({ issuer, clientId }: { issuer: string; clientId: string }) {
  let keys: Promise<JWTVerifyGetKey> | undefined
  /** @throws a `jose` error if the token is invalid or the keys cannot be fetched; 400 if its claims are not usable */
  return async (idToken: string | undefined, now: Date): Promise<GoogleClaims> => {
    const known = (keys ??= keysOf(issuer))
    // After a failure, the next sign-in fetches the keys again.
    known.catch(() => (keys = undefined))
    const { payload } = await jwtVerify(idToken ?? '', await known, {
      // Some Google tokens omit the scheme.
      issuer: [issuer, issuer.replace(/^https:\/\//, '')],
      audience: clientId,
      algorithms: ['RS256'],
      requiredClaims: ['exp', 'sub'],
      currentDate: now,
    })
    if (!Value.Check(Claims, payload)) throw badRequest('Google did not answer with a usable sign-in')
    return payload
  }
}

/** True if the token is invalid, false if the issuer's keys could not be fetched. */
export const isForged = (error: unknown): boolean =>
  error instanceof errors.JOSEError && !(error instanceof errors.JWKSTimeout) && error.code !== 'ERR_JOSE_GENERIC'
