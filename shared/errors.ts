import Type, { type Static } from 'typebox'

/** Clients branch on these codes, so never reuse a code for another meaning. */
const errorCodes = [
  'bad_request',
  'unauthorized',
  'forbidden',
  'not_found',
  'conflict',
  'gone',
  'too_large',
  'unsupported_media',
  'rate_limited',
  'payment_required',
  'profile_required',
  'email_unconfirmed',
  'license_required',
  'approval_required',
  'invitation_required',
  'second_factor_required',
  /** The change needs proof of identity: the password, the second factor, or a recent Google sign-in or emailed link. */
  'proof_required',
  'unavailable',
  'internal',
] as const

export type ErrorCode = (typeof errorCodes)[number]

/** Body of every error response. `code` is stable, `message` can be shown to users, and `details` depends on the code. */
export const ErrorBody = Type.Object({
  error: Type.Object({
    code: Type.String({ description: `${errorCodes.join(', ')}; more may be added` }),
    message: Type.String(),
    details: Type.Optional(Type.Unknown({ description: 'Depends on the code; for bad_request, the invalid fields' })),
    requestId: Type.String({ description: 'Identifies the request in the logs' }),
  }),
})
export type ErrorBody = Static<typeof ErrorBody>
