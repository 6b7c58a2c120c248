interface Account {
  role: string
  passwordHash: string | null
  emailVerifiedAt: Date | null
}

/**
 * True if somebody may have signed up with another person's address and set this password. This is impossible for staff, who never sign up,
 * and for invited accounts, which have no password until the owner opens the emailed link.
 */
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

/** True if the account is invited and the invitation has not expired. */
export const isInvitedAt = (account: Invitable, now: Date): boolean =>
  isInvited(account) && account.invitedUntil !== null && account.invitedUntil > now
