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
  /** Null if there is no account. The job still runs, so that both cases do the same work. */
  'mail.reset': { dealerId: string | null }
  'mail.verify': { dealerId: string }
  'mail.proof': { dealerId: string }
  'mail.invite': { dealerId: string }
  'mail.admission': { dealerId: string }
  'mail.emailChange': { dealerId: string }
  /** Notifies the address that the account had before the change. That address is not stored anywhere else. */
  'mail.accessChanged': { to: string; what: AccessChange }
  /** Emails the new address that an admin assigned. Contains a link to confirm the address or to choose a password. */
  'mail.addressGiven': { dealerId: string }
}
