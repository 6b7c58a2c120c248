export interface AuthDomainEvents {
  'session.ended': { dealerId: string; sessionIds: string[]; code: 'signed_out' | 'revoked' | 'suspended' }
}

export interface AuthJobs {
  /** Mails a reset link; null if there is no account, so that both cases take the same path. */
  'mail.reset': { dealerId: string | null }
  'mail.verify': { dealerId: string }
  /** Mails a link that proves a session of an account without a password and a second factor. */
  'mail.proof': { dealerId: string }
  /** Mails an invitation to choose the first password. */
  'mail.invite': { dealerId: string }
  'mail.admission': { dealerId: string }
}
