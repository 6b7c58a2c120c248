interface Account {
  role: string
  passwordHash: string | null
  emailVerifiedAt: Date | null
}

/** True if somebody may have signed up with another person's address and set this password. Staff never sign up. */
export const isUnproven = ({ role, passwordHash, emailVerifiedAt }: Account): boolean =>
  role === 'dealer' && emailVerifiedAt === null && passwordHash !== null

interface Invitable {
  invitedUntil: Date | null
  passwordHash: string | null
  emailVerifiedAt: Date | null
}

/** True for an account that an admin created and whose owner has not signed in yet. */
export const isInvited = ({ invitedUntil, passwordHash, emailVerifiedAt }: Invitable): boolean =>
  invitedUntil !== null && passwordHash === null && emailVerifiedAt === null

export const isInvitedAt = (account: Invitable, now: Date): boolean =>
  isInvited(account) && account.invitedUntil !== null && account.invitedUntil > now
