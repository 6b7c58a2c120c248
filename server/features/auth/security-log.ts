import type { AppError } from '#server/errors.ts'
import type { Context } from '#server/platform/context.ts'
import { RateLimited } from '#server/platform/limits.ts'
import type { SignInFailure } from '#server/platform/metrics.ts'

interface Attempt {
  /** Null until it is known, and where no account has the address that was given: what was typed there may be a password. */
  dealerId: string | null
  /** Gives the error back, to be thrown. Its sender does not read the reason. */
  refused: (reason: SignInFailure['reason'], error: AppError) => AppError
}

/**
 * Runs a sign-in, a second factor or a proof of identity. One that is refused is written to the log and counted for the alert on
 * guessing, by account and reason. Neither the password nor the code is in it.
 * @param address where it comes from; absent for a dealer who is signed in already
 */
export async function watchSignIn<Result>(
  ctx: Context,
  step: SignInFailure['step'],
  address: string | undefined,
  run: (attempt: Attempt) => Promise<Result>,
): Promise<Result> {
  let why: SignInFailure['reason'] | undefined
  const attempt: Attempt = {
    dealerId: null,
    refused(reason, error) {
      why = reason
      return error
    },
  }
  try {
    return await run(attempt)
  } catch (error) {
    const reason = error instanceof RateLimited ? 'too_many_tries' : why
    if (reason !== undefined) {
      const { dealerId } = attempt
      ctx.metrics.signInFailures.inc({ step, reason })
      ctx.log.warn({ security: 'sign_in_failed', step, reason, dealerId, address }, 'a sign-in failed')
    }
    throw error
  }
}
