import { Link, useLocation, useSearchParams } from 'wouter'
import type { AccessChanged } from '#shared/schemas/account.ts'
import { RemainingApiKeys } from '#client/features/account/remaining-api-keys.tsx'
import { useResetOutcome } from '#client/features/auth/auth.api.ts'
import { ForgotForm } from '#client/features/auth/forgot-form.tsx'
import { ResetForm } from '#client/features/auth/reset-form.tsx'
import { AuthFrame } from '#client/features/auth/auth-frame.tsx'
import { useLinkSecret } from '#client/lib/session/mailed-link-secret.ts'
import { ButtonLink } from '#client/ui/button-link.tsx'
import { useDocumentTitle } from '#client/ui/document-title.ts'

const link = 'inline-flex items-center text-accent-ink hover:underline max-md:min-h-11'

/** Requests an email with a reset link. If opened from that link, asks for the new password instead. */
export function ResetPage() {
  useDocumentTitle('Reset password')
  const [params] = useSearchParams()
  const [, navigate] = useLocation()
  const token = useLinkSecret('token')
  const done = useResetOutcome(token ?? '')
  return (
    <AuthFrame>
      <div className="m-auto w-92 max-w-full space-y-4 py-8">
        {done && done.apiKeys.length > 0 ? (
          <PasswordSet changed={done} />
        ) : (
          <>
            {token ? (
              <ResetForm token={token} invited={params.has('invited')} onDone={() => navigate('/login')} />
            ) : (
              <ForgotForm />
            )}
            <p className="flex flex-wrap justify-center gap-x-6">
              {token ? (
                <Link href="/reset" className={link}>
                  Request a new link
                </Link>
              ) : null}
              <Link href="/login" className={link}>
                Back to Login
              </Link>
            </p>
          </>
        )}
      </div>
    </AuthFrame>
  )
}

/** Shown after the reset if the account has API keys, because API keys keep working after a password change. */
function PasswordSet({ changed: { apiKeys, revokeToken } }: { changed: AccessChanged }) {
  return (
    <>
      <div>
        <h1 className="text-lg font-semibold tracking-lg">Your password is set</h1>
        <p className="text-ink-2">You were signed out everywhere, and links we emailed earlier no longer work.</p>
      </div>
      <RemainingApiKeys apiKeys={apiKeys} token={revokeToken ?? undefined} />
      <ButtonLink href="/login" variant="primary" size="lg" block>
        Sign in
      </ButtonLink>
    </>
  )
}
