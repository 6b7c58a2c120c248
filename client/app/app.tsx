import { type QueryClient, QueryClientProvider, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ComponentType, type ReactNode, useEffect, useState } from 'react'
import { createQueryClient } from '#client/lib/query/query-client.ts'
import { toastFailure, useToast } from '#client/ui/toast-store.ts'
import { TooltipLayer } from '#client/ui/tooltip.tsx'
import { SlotProvider } from './slots.tsx'
import { matchRoute, useLocation, useRouter } from 'wouter'
import type { AuthStatus } from '#shared/schemas/auth.ts'
import { type AppRoute, signedInRoutes } from './routes.ts'
import { authStatusQuery, meQuery } from '#client/features/auth/auth.api.ts'
import { BillingContext } from '#client/lib/session/billing-enabled.ts'
import { shortReasonOf } from '#client/lib/http/api.ts'
import { loadWhenIdle } from '#client/lib/screen/load-when-idle.ts'
import { authStatusKey } from '#client/lib/query/query-keys.ts'
import { forgetSignedOutSession, useSignedOutSession } from '#client/lib/session/signing-out.ts'
import { tab } from '#client/lib/storage/tab-state.ts'
import { AppBoundary } from './page-error.tsx'
import { homeOf } from './profile-gate.tsx'
import { SignedInApp } from './signed-in-app.tsx'
import { SignedOutApp } from './signed-out-app.tsx'
import { Splash } from './splash.tsx'

function Providers({ children }: { children: ReactNode }) {
  const [queryClient] = useState(() => createQueryClient(toastFailure))
  return (
    <QueryClientProvider client={queryClient}>
      <SlotProvider>{children}</SlotProvider>
      <Toasts />
      <TooltipLayer />
    </QueryClientProvider>
  )
}

/** Loads the toaster when the browser is idle, or with the first toast. */
function Toasts() {
  const wanted = useToast()?.id
  const [Toaster, setToaster] = useState<ComponentType>()
  useEffect(() => {
    const load = async () => {
      const loaded = await import('#client/ui/toaster.tsx')
      setToaster(() => loaded.Toaster)
    }
    if (Toaster !== undefined) return undefined
    if (wanted === undefined) return loadWhenIdle(load)
    load().catch(() => undefined)
    return undefined
  }, [Toaster, wanted])
  return Toaster ? <Toaster /> : null
}

/** Loads the page's code while the sign-in status is being fetched. For the first page of a visit, also fetches the page's first data. */
function usePreloadedPage(): void {
  const { parser } = useRouter()
  const [path] = useLocation()
  const cache = useQueryClient()
  useEffect(() => {
    const route = signedInRoutes.find((one) => matchRoute(parser, one.path, path)[0])
    const load = async () => {
      await Promise.all([route?.Page.preload(), tab.isFirstPage ? prepare(cache, route) : undefined])
    }
    // Ignore errors: the page loads its code again when it renders, and then shows the error.
    load().catch(() => undefined)
  }, [parser, path, cache])
}

async function prepare(cache: QueryClient, route: AppRoute | undefined): Promise<void> {
  if (!route?.prepare || !(await cache.fetchQuery(authStatusQuery())).authenticated) return
  const me = await cache.fetchQuery(meQuery())
  if (homeOf(me) === '/') await route.prepare(cache, me)
}

export function App() {
  return (
    <AppBoundary>
      <Providers>
        <AccessGate />
      </Providers>
    </AppBoundary>
  )
}

/**
 * `isLeft` is true once this browser has signed out of the session, even if the server does not know yet.
 * `isOver` is true once that sign-out is done on the server. The cached status is then stale.
 */
function useEndOfSession(status: AuthStatus | undefined): { isSignedOut: boolean; isOver: boolean } {
  const cache = useQueryClient()
  const signedOut = useSignedOutSession()
  const [lastSignedOut, setLastSignedOut] = useState(signedOut)
  if (signedOut !== undefined && signedOut !== lastSignedOut) setLastSignedOut(signedOut)
  const session = status?.session ?? undefined
  useEffect(() => {
    if (status && signedOut !== undefined && signedOut !== session) forgetSignedOutSession()
  }, [status, signedOut, session])
  const isSignedOut = signedOut !== undefined && signedOut === session
  const isOver = !isSignedOut && session !== undefined && session === lastSignedOut
  useEffect(() => {
    if (isOver) void cache.invalidateQueries({ queryKey: authStatusKey })
  }, [cache, isOver])
  return { isSignedOut, isOver }
}

function AccessGate() {
  usePreloadedPage()
  const status = useQuery(authStatusQuery())
  const { isSignedOut, isOver } = useEndOfSession(status.data)
  if (status.data)
    return (
      <BillingContext value={status.data.billing}>
        {status.data.authenticated && !isSignedOut && !isOver ? (
          <SignedInApp />
        ) : (
          <SignedOutApp isSignedOut={isSignedOut} />
        )}
      </BillingContext>
    )
  return (
    <Splash
      text="Loading Lanewire"
      failure={status.error ? shortReasonOf(status.error) : undefined}
      retrying={status.isFetching}
      onRetry={() => void status.refetch()}
    />
  )
}
