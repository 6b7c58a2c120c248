interface Invitable {
  invitedUntil: Date | null
  passwordHash: string | null
  emailVerifiedAt: Date | null
}

/** Made by an admin, and its owner has not come yet: neither by the mailed link nor by Google. */
export const isInvited = ({ invitedUntil, passwordHash, emailVerifiedAt }: Invitable): boolean =>
  invitedUntil !== null && passwordHash === null && emailVerifiedAt === null

/** The same, while the invitation stands. */
export const isInvitedAt = (account: Invitable, now: Date): boolean =>
  isInvited(account) && account.invitedUntil !== null && account.invitedUntil > now
