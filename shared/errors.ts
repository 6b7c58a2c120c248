import Type, { type Static } from 'typebox'

/** Codes a client may branch on. A code is never reused for another meaning. */
const errorCodes = [
  'bad_request',
  'unauthorized',
  'forbidden',
  'not_found',
  'conflict',
  'too_large',
  'unsupported_media',
  'rate_limited',
  'payment_required',
  /** A write of an account that has no dealer profile yet: /onboarding asks for it. */
  'profile_required',
  /** Posting, bidding and offering take a confirmed address, and this account has not confirmed its own. */
  'email_unconfirmed',
  /** The network is for verified dealers, and this one's license has not been verified. */
  'license_required',
  /** An account that waits for an admin, or was declined: nothing of the network is there for it. */
  'approval_required',
  /** A sign-up without an invitation, where the network is set so. */
  'invitation_required',
  /** The network wants a second factor of whoever is admin or ops, and this account has none yet. */
  'second_factor_required',
  /** The change requires proof of identity: the password, the second factor, a fresh sign-in with Google, or a mailed link. */
  'proof_required',
  'unavailable',
  'internal',
] as const

export type ErrorCode = (typeof errorCodes)[number]

/**
 * The one shape of every refused request.
 * `code` is stable; `message` is safe to show to a person; `details` depends on the code
 * (for `bad_request` the failing fields, for a refused bid the true price, and so on).
 */
export const ErrorBody = Type.Object({
  error: Type.Object({
    code: Type.String({ description: `${errorCodes.join(', ')}; more may be added` }),
    message: Type.String(),
    details: Type.Optional(Type.Unknown({ description: 'Depends on the code; for bad_request, the invalid fields' })),
    requestId: Type.String({ description: 'Identifies the request in the logs' }),
  }),
})
export type ErrorBody = Static<typeof ErrorBody>
