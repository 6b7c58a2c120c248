import { CircleCheck, Mail } from 'lucide-react'
import { useEffect } from 'react'
import { useSearchParams } from 'wouter'
import { useVerifyEmail } from '#client/features/auth/auth.api.ts'
import { AuthFrame } from '#client/features/auth/auth-frame.tsx'
import { reasonOf } from '#client/lib/api.ts'
import { ButtonLink } from '#client/ui/button.tsx'
import { useDocumentTitle } from '#client/ui/document-title.ts'
import { EmptyState } from '#client/ui/empty-state.tsx'

/** Where the link of the confirmation mail leads. */
export function VerifyEmailPage() {
  useDocumentTitle('Confirm email')
  const [params] = useSearchParams()
  const { mutate, ...verify } = useVerifyEmail()
  const token = params.get('token') ?? ''
  useEffect(() => mutate(token), [mutate, token])
  const go = (
    <ButtonLink href="/" variant="primary">
      Continue to Lanewire
    </ButtonLink>
  )
  return (
    <AuthFrame>
      <div className="m-auto w-92 max-w-full py-8">
        {verify.isSuccess ? (
          <EmptyState
            level={1}
            icon={<CircleCheck size={24} />}
            title="Your email is confirmed"
            hint="Thank you."
            action={go}
          />
        ) : (
          <EmptyState
            level={1}
            icon={<Mail size={24} />}
            title={verify.isError ? 'This link does not work' : 'Confirming your email'}
            hint={verify.isError ? reasonOf(verify.error) : 'One moment.'}
            action={verify.isError ? go : null}
          />
        )}
      </div>
    </AuthFrame>
  )
}
