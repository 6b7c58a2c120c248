import { useQuery } from '@tanstack/react-query'
import { authStatusQuery } from '#client/features/auth/auth.api.ts'
import { remedyOf } from '#client/lib/api.ts'
import { useLeaving } from '#client/lib/leaving.ts'
import { AppBoundary } from './page-error.tsx'
import { usePreloadedPage } from './preloaded-page.ts'
import { Providers } from './providers.tsx'
import { SignedInApp } from './signed-in-app.tsx'
import { SignedOutApp } from './signed-out-app.tsx'
import { Splash } from './splash.tsx'

export function App() {
  return (
    <AppBoundary>
      <Providers>
        <AccessGate />
      </Providers>
    </AppBoundary>
  )
}

/** Decides by the authentication status which routes exist (spec B §2 "Route access rules"). */
function AccessGate() {
  usePreloadedPage()
  const status = useQuery(authStatusQuery())
  const leaving = useLeaving()
  if (leaving) return <Splash text="Logging out" />
  if (status.data) return status.data.authenticated ? <SignedInApp /> : <SignedOutApp />
  return (
    <Splash
      text="Loading Lanewire"
      failure={status.error ? remedyOf(status.error) : undefined}
      retrying={status.isFetching}
      onRetry={() => void status.refetch()}
    />
  )
}
