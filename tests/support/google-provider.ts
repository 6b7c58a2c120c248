import { OAuth2Server } from 'oauth2-mock-server'
import type { Test } from 'tap'

export interface Person {
  sub: string
  email: string
  email_verified: boolean
  name?: string
}

/** A provider of identities that speaks Google's protocol: `env` points a server at it, `become` changes who signs in. */
export async function startGoogleProvider(t: Test, first: Person) {
  const google = new OAuth2Server()
  await google.issuer.keys.generate('RS256')
  await google.start(0, '127.0.0.1')
  t.teardown(() => google.stop())
  let person = first
  google.service.on('beforeTokenSigning', (token: { payload: Record<string, unknown> }) => {
    Object.assign(token.payload, person, { aud: 'lanewire-client' })
  })
  const env = {
    GOOGLE_CLIENT_ID: 'lanewire-client',
    GOOGLE_CLIENT_SECRET: 'lanewire-secret',
    GOOGLE_ISSUER: google.issuer.url ?? '',
  }
  return { google, env, become: (next: Person) => (person = next) }
}
