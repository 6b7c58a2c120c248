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

interface Failed extends SignInFailure {
  dealerId: string | null
  address: string | undefined
}

/** Writes it to the log and counts it for the alert on guessing. Neither the password nor the code is in it. */
export function noteFailedSignIn(ctx: Context, failed: Failed): void {
  const { step, reason } = failed
  ctx.metrics.signInFailures.inc({ step, reason })
  ctx.log.warn({ security: 'sign_in_failed', ...failed }, 'a sign-in failed')
}

/**
 * Runs a sign-in, a second factor or a proof of identity, and notes one that is refused by account and reason.
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
    if (reason !== undefined) noteFailedSignIn(ctx, { step, reason, dealerId: attempt.dealerId, address })
    throw error
  }
}
