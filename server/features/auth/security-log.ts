import type { AppError } from '#server/errors.ts'
import type { Context } from '#server/platform/process/context.ts'
import { RateLimited } from '#server/platform/limits.ts'
import type { SignInFailure } from '#server/platform/process/metrics.ts'

interface Attempt {
  /** Null if no account has this email. The typed text is not logged, because it may be a password. */
  dealerId: string | null
  /** Returns the error. The reason appears only in the log, not in the response. */
  refused: (reason: SignInFailure['reason'], error: AppError) => AppError
}

interface Failed extends SignInFailure {
  dealerId: string | null
  address: string | undefined
}

/** Logs a failed sign-in without its password or code. The metric feeds the alert on password guessing. */
export function logFailedSignIn(ctx: Context, failed: Failed): void {
  const { step, reason } = failed
  ctx.metrics.signInFailures.inc({ step, reason })
  ctx.log.warn({ security: 'sign_in_failed', ...failed }, 'a sign-in failed')
}

/** Runs a sign-in, second factor check or proof. If it is rejected, logs the account and the reason. */
export async function logFailures<Result>(
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
    if (reason !== undefined) logFailedSignIn(ctx, { step, reason, dealerId: attempt.dealerId, address })
    throw error
  }
}
