import { Link, useLocation, useSearchParams } from 'wouter'
import { ForgotForm } from '#client/features/auth/forgot-form.tsx'
import { ResetForm } from '#client/features/auth/reset-form.tsx'
import { AuthFrame } from '#client/features/auth/auth-frame.tsx'
import { useDocumentTitle } from '#client/ui/document-title.ts'

const link = 'inline-flex items-center text-accent-ink hover:underline max-md:min-h-11'

/** Without a token it asks for a link, with one it sets the password. */
export function ResetPage() {
  useDocumentTitle('Reset password')
  const [params] = useSearchParams()
  const [, navigate] = useLocation()
  const token = params.get('token')
  return (
    <AuthFrame>
      <div className="m-auto w-92 max-w-full space-y-4 py-8">
        {token ? <ResetForm token={token} onDone={() => navigate('/login')} /> : <ForgotForm />}
        <p className="flex flex-wrap justify-center gap-x-6">
          {token ? (
            <Link href="/reset" className={link}>
              Ask for a new link
            </Link>
          ) : null}
          <Link href="/login" className={link}>
            Back to Login
          </Link>
        </p>
      </div>
    </AuthFrame>
  )
}
