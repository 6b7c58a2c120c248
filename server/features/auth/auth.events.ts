export type AccessChange =
  | 'password.reset'
  | 'password.firstReset'
  | 'password.changed'
  | 'email.changed'
  | 'email.given'
  | 'factor.added'
  | 'factor.removed'
  | 'factor.reset'
  | 'recoveryCode.used'
  | 'apiKey.made'

export interface AuthDomainEvents {
  'session.ended': { dealerId: string; sessionIds: string[]; code: 'signed_out' | 'revoked' | 'suspended' }
}

export interface AuthJobs {
  /** Mails a reset link; null if there is no account, so that both cases take the same path. */
  'mail.reset': { dealerId: string | null }
  'mail.verify': { dealerId: string }
  'mail.proof': { dealerId: string }
  'mail.invite': { dealerId: string }
  'mail.admission': { dealerId: string }
  /** Mails the confirmation link for a pending address. */
  'mail.emailChange': { dealerId: string }
  /** Sent to the address at the time of the change, which is stored nowhere else. */
  'mail.accessChanged': { to: string; what: AccessChange }
  /** Tells the new address assigned by an admin, with a link to confirm it or to choose a password. */
  'mail.addressGiven': { dealerId: string }
}
