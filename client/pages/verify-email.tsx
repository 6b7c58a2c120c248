import CircleCheck from 'lucide-react/icons/circle-check'
import Mail from 'lucide-react/icons/mail'
import { type ReactNode, useEffect } from 'react'
import { RemainingApiKeys } from '#client/features/account/remaining-api-keys.tsx'
import { useVerifyEmail } from '#client/features/auth/auth.api.ts'
import { AuthFrame } from '#client/features/auth/auth-frame.tsx'
import { useConfirmProof } from '#client/features/auth/security/second-factor.api.ts'
import { useConfirmEmail } from '#client/features/dealers/profile.api.ts'
import { ApiError, reasonOf } from '#client/lib/http/api.ts'
import { useLinkSecret } from '#client/lib/session/mailed-link-secret.ts'
import { ButtonLink } from '#client/ui/button-link.tsx'
import { useDocumentTitle } from '#client/ui/document-title.ts'
import { EmptyState } from '#client/ui/empty-state.tsx'

/** Opened by links in emails. Confirms a new account's email address, a changed address, or the identity of a session's user. */
export function VerifyEmailPage() {
  useDocumentTitle('Confirm email')
  const [token, change, prove] = [useLinkSecret('token'), useLinkSecret('change'), useLinkSecret('prove')]
  return (
    <AuthFrame>
      <div className="m-auto w-92 max-w-full space-y-4 py-8">
        {prove === null && change === null ? <Verified token={token ?? ''} /> : null}
        {change === null ? null : <Changed token={change} />}
        {prove === null ? null : <Proven token={prove} />}
      </div>
    </AuthFrame>
  )
}

function Verified({ token }: { token: string }) {
  const { mutate, ...verify } = useVerifyEmail()
  useEffect(() => mutate(token), [mutate, token])
  return <Outcome of={verify} title="Your email is confirmed" hint="Thank you." />
}

/** Confirms a changed email address, which signs out all other sessions. API keys keep working, so this offers to revoke them. */
function Changed({ token }: { token: string }) {
  const { mutate, ...confirm } = useConfirmEmail()
  useEffect(() => mutate(token), [mutate, token])
  return (
    <Outcome
      of={confirm}
      title="Your email is changed"
      hint="You now sign in with this address. Every other browser was signed out, and links we emailed earlier no longer work."
    >
      {confirm.data?.revokeToken ? (
        <RemainingApiKeys apiKeys={confirm.data.apiKeys} token={confirm.data.revokeToken} />
      ) : null}
    </Outcome>
  )
}

/** Confirms the identity of this session's user, so that the tab that asked for proof can continue. */
function Proven({ token }: { token: string }) {
  const { mutate, ...confirm } = useConfirmProof()
  useEffect(() => mutate(token), [mutate, token])
  const isElsewhere = confirm.error instanceof ApiError && confirm.error.status === 401
  const of = isElsewhere ? { ...confirm, error: new Error('Open it in the browser where you are signed in.') } : confirm
  return <Outcome of={of} title="Your identity is confirmed" hint="Go back to the tab you came from to finish." />
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
      title={isError ? 'This link does not work' : 'Confirming'}
      hint={isError ? reasonOf(error) : 'One moment.'}
      action={isError ? go : null}
    />
  )
}
