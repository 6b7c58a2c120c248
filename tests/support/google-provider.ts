import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import type { Test } from 'tap'

export interface Person {
  sub: string
  email: string
  email_verified: boolean
  name?: string
}

const clientId = 'lanewire-client'
const clientSecret = 'lanewire-secret'
const tokenSeconds = 3_600
const [alg, kid] = ['RS256', 'the-only-one']

interface Consent {
  redirectUri: string
  challenge: string
}

/** True if the token request has our client's credentials and comes from the browser that gave consent (PKCE). */
function isOurs(request: IncomingMessage, form: URLSearchParams, consent: Consent | undefined): boolean {
  const [scheme, credentials = ''] = (request.headers.authorization ?? '').split(' ')
  const verifier = createHash('sha256').update(form.get('code_verifier') ?? '')
  return (
    scheme === 'Basic' &&
    Buffer.from(credentials, 'base64').toString() === `${clientId}:${clientSecret}` &&
    form.get('grant_type') === 'authorization_code' &&
    form.get('redirect_uri') === consent?.redirectUri &&
    verifier.digest('base64url') === consent.challenge
  )
}

/** A fake Google sign-in with PKCE. `become` changes the signed-in user, and `forgeNext` modifies the next id token. */
export async function startGoogleProvider(t: Test, first: Person) {
  const consents = new Map<string, Consent>()
  const { publicKey, privateKey } = await generateKeyPair(alg)
  const keys = [{ ...(await exportJWK(publicKey)), alg, kid, use: 'sig' }]
  let forge = (token: string) => token
  let person = first
  let issuer = ''
  const discovery = () => ({
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
    code_challenge_methods_supported: ['S256'],
  })
  const consent = (asked: URLSearchParams) => {
    const code = randomUUID()
    const redirectUri = asked.get('redirect_uri') ?? ''
    consents.set(code, { redirectUri, challenge: asked.get('code_challenge') ?? '' })
    const back = new URL(redirectUri)
    back.searchParams.set('code', code)
    back.searchParams.set('state', asked.get('state') ?? '')
    return back.href
  }
  const tokens = async () => {
    const signed = await new SignJWT({ ...person })
      .setProtectedHeader({ alg, kid })
      .setIssuer(issuer)
      .setAudience(clientId)
      .setIssuedAt()
      .setExpirationTime(`${tokenSeconds} s`)
      .sign(privateKey)
    const idToken = forge(signed)
    forge = (token) => token
    return { access_token: randomUUID(), token_type: 'Bearer', expires_in: tokenSeconds, id_token: idToken }
  }
  const answer = async (request: IncomingMessage) => {
    const url = new URL(request.url ?? '/', issuer)
    if (url.pathname === '/.well-known/openid-configuration') return { status: 200, body: discovery() }
    if (url.pathname === '/keys') return { status: 200, body: { keys } }
    if (url.pathname === '/authorize') return { status: 302, location: consent(url.searchParams) }
    if (url.pathname !== '/token') return { status: 404 }
    const form = new URLSearchParams(await text(request))
    const code = form.get('code') ?? ''
    const isGranted = isOurs(request, form, consents.get(code))
    consents.delete(code)
    return isGranted ? { status: 200, body: await tokens() } : { status: 400, body: { error: 'invalid_grant' } }
  }
  const server = createServer((request, response) => {
    void answer(request).then(({ status, location, body }) =>
      response
        .writeHead(status, { 'content-type': 'application/json', ...(location !== undefined && { location }) })
        .end(body && JSON.stringify(body)),
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => void server.close())
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const env = { GOOGLE_CLIENT_ID: clientId, GOOGLE_CLIENT_SECRET: clientSecret, GOOGLE_ISSUER: issuer }
  return {
    env,
    issuer,
    become: (next: Person) => (person = next),
    forgeNext: (change: (token: string) => string) => (forge = change),
  }
}
