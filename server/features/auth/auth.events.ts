/** DomainEvents about access. Listeners end the sockets. */
export interface AuthDomainEvents {
  /** These sessions ended (sign-out, revocation, suspension, password change). Ids are session hashes in hex. */
  'session.ended': { dealerId: string; sessionIds: string[]; code: 'signed_out' | 'revoked' | 'suspended' }
}

export interface AuthJobs {
  /** Mails a link for a new password; null when nobody has that address, so that both cases take the same path. */
  'mail.reset': { dealerId: string | null }
  'mail.verify': { dealerId: string }
  /** Mails a link that proves a session of an account without a password and without a second factor. */
  'mail.proof': { dealerId: string }
  /** Mails a link to choose the first password to somebody an admin has added. */
  'mail.invite': { dealerId: string }
  /** Tells an account that waited for an admin what was decided. */
  'mail.admission': { dealerId: string }
}
