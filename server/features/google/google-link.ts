import Type, { type Static } from 'typebox'
import { openSealed, seal } from '#server/platform/sealed.ts'

/** A Google sign-in that waits for the password of the account with the same e-mail. */
const PendingLink = Type.Object({
  subject: Type.String(),
  dealerId: Type.String(),
  /** The address that both have. */
  email: Type.String(),
  until: Type.Number(),
})
export type PendingLink = Static<typeof PendingLink>

const purpose = 'google-link'

/** Travels in a cookie of the browser that went through Google, so it must not be forgeable. */
export const sealLink = (secret: string, link: PendingLink): string => seal(secret, purpose, link)

/** Undefined when it is not ours or too old. */
export const openLink = (secret: string, sealed: string | undefined, nowMs: number): PendingLink | undefined =>
  openSealed({ secret, purpose, schema: PendingLink }, sealed, nowMs)
