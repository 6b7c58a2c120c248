import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { reasonOf } from '#client/lib/http/api.ts'
import { Badge } from '#client/ui/badge.tsx'
import { Button } from '#client/ui/button.tsx'
import { Card, CardHeader } from '#client/ui/card.tsx'
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx'
import { InlineError } from '#client/ui/inline-error.tsx'
import { Loading, SkeletonRows } from '#client/ui/skeleton.tsx'
import { authStatusQuery, securityQuery, useUnlinkGoogle } from '../auth.api.ts'
import { ChangePasswordForm } from './change-password-form.tsx'
import { GoogleButton } from '../google-button.tsx'
import { ResendButton } from './resend-button.tsx'
import { SecondFactorCard } from './second-factor-card.tsx'
import { SessionList } from './session-list.tsx'

/** @param keys the section that manages API keys */
export function AccountSecurity({ keys }: { keys: ReactNode }) {
  const security = useQuery(securityQuery())
  const google = useQuery(authStatusQuery()).data?.google === true
  const { data } = security
  if (!data) {
    return (
      <Card aria-label="Security" className="p-4">
        {security.error ? (
          <InlineError
            title="Your security settings could not be loaded"
            message={reasonOf(security.error)}
            onRetry={() => void security.refetch()}
            retrying={security.isFetching}
          />
        ) : (
          <Loading label="Loading security settings">
            <SkeletonRows />
          </Loading>
        )}
      </Card>
    )
  }
  return (
    <div className="space-y-3">
      <Card aria-label="Email">
        <CardHeader title="Email">
          {data.emailVerified ? <Badge tone="success">Confirmed</Badge> : <Badge tone="warning">Not confirmed</Badge>}
        </CardHeader>
        <div className="flex flex-wrap items-center justify-between gap-3 px-4 pt-1 pb-4">
          <span className="min-w-0">{data.email}</span>
          {data.emailVerified ? null : <ResendButton />}
        </div>
      </Card>
      {data.googleLinked || google ? (
        <Card aria-label="Google">
          <CardHeader title="Google">
            {data.googleLinked ? <Badge tone="success">Linked</Badge> : <Badge>Not linked</Badge>}
          </CardHeader>
          <div className="px-4 pt-1 pb-4">
            {data.googleLinked ? (
              <LinkedGoogle hasPassword={data.hasPassword} />
            ) : (
              <div className="max-w-92">
                <GoogleButton />
              </div>
            )}
          </div>
        </Card>
      ) : null}
      <ChangePasswordForm hasPassword={data.hasPassword} stays={keys} />
      <SecondFactorCard security={data} />
      <SessionList sessions={data.sessions} />
    </div>
  )
}

/** An account without a password cannot unlink Google, even if it has a passkey: a passkey can be lost. */
function LinkedGoogle({ hasPassword }: { hasPassword: boolean }) {
  const [asking, setAsking] = useState(false)
  const unlink = useUnlinkGoogle()
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <p className="text-ink-2">
        {hasPassword ? 'You can sign in with Google.' : 'You sign in with Google. Set a password before you unlink it.'}
      </p>
      {hasPassword ? (
        <Button variant="danger-ghost" onClick={() => setAsking(true)}>
          Unlink
        </Button>
      ) : null}
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title="Unlink Google?"
        description="You can no longer sign in with that Google account. Sign in with your email and password instead."
        confirmLabel="Unlink"
        destructive
        busy={unlink.isPending}
        onConfirm={() => unlink.mutate(undefined, { onSuccess: () => setAsking(false) })}
      />
    </div>
  )
}
