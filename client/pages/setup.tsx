import { useQuery } from '@tanstack/react-query'
import ShieldCheck from 'lucide-react/icons/shield-check'
import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { joiningQuery } from '#client/features/auth/auth.api.ts'
import { AuthFrame } from '#client/features/auth/auth-frame.tsx'
import { SetupForm } from '#client/features/auth/setup-form.tsx'
import { useLinkSecret } from '#client/lib/session/mailed-link-secret.ts'
import { ButtonLink } from '#client/ui/button-link.tsx'
import { useDocumentTitle } from '#client/ui/document-title.ts'
import { EmptyState } from '#client/ui/empty-state.tsx'
import { QueryError } from '#client/ui/query-state.tsx'
import { Loading, Skeleton } from '#client/ui/skeleton.tsx'

/** Sets up a network that has no admin yet. */
export function SetupPage() {
  useDocumentTitle('Set up')
  const secret = useLinkSecret('token')
  const [token] = useState(secret ?? '')
  const [, navigate] = useLocation()
  // Remove the secret from the URL, because browsers show URLs and store them in the history.
  useEffect(() => {
    if (token !== '') navigate('/setup', { replace: true })
  }, [token, navigate])
  const door = useQuery(joiningQuery())
  return (
    <AuthFrame>
      <div className="m-auto w-92 max-w-full space-y-4 py-8">
        {door.data?.needsSetup === false ? <SetUpAlready /> : <FirstAdmin token={token} door={door} />}
      </div>
    </AuthFrame>
  )
}

function SetUpAlready() {
  return (
    <EmptyState
      level={1}
      icon={<ShieldCheck size={24} />}
      title="This network is already set up"
      hint="This page is no longer needed. Existing admins can add more."
      action={<ButtonLink href="/login">Login</ButtonLink>}
    />
  )
}

function FirstAdmin({ token, door }: { token: string; door: ReturnType<typeof useQuery<{ needsSetup: boolean }>> }) {
  return (
    <>
      <div>
        <h1 className="text-lg font-semibold tracking-lg">Set up this network</h1>
        <p className="text-ink-2">
          It has no admin yet. The first one decides who can join and adds other admins and staff.
        </p>
      </div>
      <QueryError query={door} failure="The network status could not be loaded" />
      {door.data ? <SetupForm token={token} /> : null}
      {!door.data && !door.error ? (
        <Loading label="Loading">
          <div className="space-y-3">
            <Skeleton className="h-10" />
            <Skeleton className="h-10" />
            <Skeleton className="h-10" />
          </div>
        </Loading>
      ) : null}
    </>
  )
}
