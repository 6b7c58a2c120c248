/** Facts about access. Listeners end the sockets. */
export interface AuthFacts {
  /** These sessions ended (sign-out, revocation, suspension, password change). Ids are session hashes in hex. */
  'session.ended': { dealerId: string; sessionIds: string[]; code: 'signed_out' | 'revoked' | 'suspended' }
}
