import { CircleCheck, Mail } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { LiveKeys } from '#client/features/account/live-keys.tsx'
import { useVerifyEmail } from '#client/features/auth/auth.api.ts'
import { AuthFrame } from '#client/features/auth/auth-frame.tsx'
import { useConfirmEmail } from '#client/features/dealers/profile.api.ts'
import { reasonOf } from '#client/lib/api.ts'
import { useLinkSecret } from '#client/lib/link-secret.ts'
import { ButtonLink } from '#client/ui/button-link.tsx'
import { useDocumentTitle } from '#client/ui/document-title.ts'
import { EmptyState } from '#client/ui/empty-state.tsx'

/** Where the links lead that prove an address: the one of a new account, or the next one of an account that moves. */
export function VerifyEmailPage() {
  useDocumentTitle('Confirm email')
  const [token, change] = [useLinkSecret('token'), useLinkSecret('change')]
  return (
    <AuthFrame>
      <div className="m-auto w-92 max-w-full space-y-4 py-8">
        {change === null ? <Verified token={token ?? ''} /> : <Changed token={change} />}
      </div>
    </AuthFrame>
  )
}

function Verified({ token }: { token: string }) {
  const { mutate, ...verify } = useVerifyEmail()
  useEffect(() => mutate(token), [mutate, token])
  return <Outcome of={verify} title="Your email is confirmed" hint="Thank you." />
}

/** Changing the email address signs everyone else out. API keys keep working. */
function Changed({ token }: { token: string }) {
  const { mutate, ...confirm } = useConfirmEmail()
  useEffect(() => mutate(token), [mutate, token])
  return (
    <Outcome
      of={confirm}
      title="Your email is changed"
      hint="You sign in with it from now on. Every other browser was signed out, and links mailed before do not work any more."
    >
      {confirm.data?.revokeToken ? <LiveKeys apiKeys={confirm.data.apiKeys} token={confirm.data.revokeToken} /> : null}
    </Outcome>
  )
}

interface OutcomeProps {
  of: { isSuccess: boolean; isError: boolean; error: Error | null }
  title: string
  hint: string
  children?: ReactNode
}

function Outcome({ of: { isSuccess, isError, error }, title, hint, children }: OutcomeProps) {
  const go = (
    <ButtonLink href="/" variant="primary" block={Boolean(children)}>
      Continue to Lanewire
    </ButtonLink>
  )
  if (isSuccess)
    return (
      <>
        <EmptyState
          level={1}
          icon={<CircleCheck size={24} />}
          title={title}
          hint={hint}
          action={children ? null : go}
        />
        {children}
        {children ? go : null}
      </>
    )
  return (
    <EmptyState
      level={1}
      icon={<Mail size={24} />}
      title={isError ? 'This link does not work' : 'Confirming your email'}
      hint={isError ? reasonOf(error) : 'One moment.'}
      action={isError ? go : null}
    />
  )
}
