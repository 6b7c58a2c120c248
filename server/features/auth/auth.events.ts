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
}
