import Type, { type Static } from 'typebox'
import { ApiKey } from './api-keys.ts'
import { passwordMin } from './auth.ts'
import { Email, Nullable, Timestamp } from './dealers.ts'

const Password = Type.String({ minLength: passwordMin, maxLength: 1_000 })
/** One that was cut short in the mail is answered like one that has expired. */
const Token = Type.String({ maxLength: 200 })

/** POST /api/auth/password/forgot. The answer never tells whether the account exists. */
export const ForgotPassword = Type.Object({ email: Email })
export type ForgotPassword = Static<typeof ForgotPassword>

/** POST /api/auth/password/reset: the token from the mailed link works once, for an hour. */
export const ResetPassword = Type.Object({ token: Token, password: Password })
export type ResetPassword = Static<typeof ResetPassword>

/** POST /api/auth/password/change: ends every other session, mailed link and waiting email. */
export const ChangePassword = Type.Object({
  currentPassword: Type.String({ minLength: 1, maxLength: 1_000 }),
  newPassword: Password,
})
export type ChangePassword = Static<typeof ChangePassword>

/** POST /api/auth/email/verify */
export const VerifyEmail = Type.Object({ token: Token })
export type VerifyEmail = Static<typeof VerifyEmail>

/**
 * Answer of a reset and of a confirmed new email, which end sessions and mailed links: the programs that can still act
 * for the account, and what ends these, too (POST /api/auth/keys/revoke, once, for a quarter of an hour). Null without any.
 */
export const AccessChanged = Type.Object({ apiKeys: Type.Array(ApiKey), revokeToken: Nullable(Type.String()) })
export type AccessChanged = Static<typeof AccessChanged>

/** POST /api/auth/keys/revoke */
export const RevokeKeys = Type.Object({ token: Token })
export type RevokeKeys = Static<typeof RevokeKeys>

/** POST /api/auth/google/link: the password of the account that has the same e-mail. */
export const LinkGoogle = Type.Object({ password: Type.String({ minLength: 1, maxLength: 1_000 }) })
export type LinkGoogle = Static<typeof LinkGoogle>

export const SessionInfo = Type.Object({
  id: Type.String(),
  current: Type.Boolean(),
  /** The browser as it names itself; empty when it did not. */
  userAgent: Type.String(),
  address: Type.String(),
  createdAt: Timestamp,
  lastSeenAt: Timestamp,
})
export type SessionInfo = Static<typeof SessionInfo>

/** GET /api/auth/security */
export const AccountSecurity = Type.Object({
  email: Type.String(),
  emailVerified: Type.Boolean(),
  hasPassword: Type.Boolean(),
  googleLinked: Type.Boolean(),
  sessions: Type.Array(SessionInfo),
})
export type AccountSecurity = Static<typeof AccountSecurity>

/** GET /api/demo/mail */
export const DemoMail = Type.Object({
  id: Type.String(),
  sentAt: Timestamp,
  to: Type.String(),
  subject: Type.String(),
  text: Type.String(),
})
export type DemoMail = Static<typeof DemoMail>
