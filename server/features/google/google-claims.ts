import Type, { type Static } from 'typebox'
import Value from 'typebox/value'
import { badRequest } from '#server/errors.ts'

const Claims = Type.Object({
  iss: Type.String(),
  aud: Type.Union([Type.String(), Type.Array(Type.String())]),
  exp: Type.Number(),
  sub: Type.String({ minLength: 1 }),
  email: Type.Optional(Type.String()),
  email_verified: Type.Optional(Type.Boolean()),
  name: Type.Optional(Type.String()),
})
export type GoogleClaims = Static<typeof Claims>

/**
 * Reads the id token that came straight from the token endpoint. Its issuer, audience and age are checked; its
 * signature need not be, because no browser has touched it (OpenID Connect Core §3.1.3.7, point 6).
 * @throws 400 when it is not a token for us
 */
export function readClaims(
  idToken: string | undefined,
  expected: { issuer: string; clientId: string; nowMs: number },
): GoogleClaims {
  const refused = () => badRequest('Google did not answer with a usable sign-in')
  const claims = parse(idToken?.split('.')[1] ?? '')
  if (!Value.Check(Claims, claims)) throw refused()
  const audiences = Array.isArray(claims.aud) ? claims.aud : [claims.aud]
  const sameIssuer = claims.iss.replace(/^https:\/\//, '') === expected.issuer.replace(/^https:\/\//, '')
  if (!sameIssuer || !audiences.includes(expected.clientId) || claims.exp * 1000 < expected.nowMs) throw refused()
  return claims
}

function parse(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString())
  } catch {
    return undefined
  }
}
