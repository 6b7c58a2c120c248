import { type QueryClient, QueryClientProvider, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ComponentType, type ReactNode, useEffect, useState } from 'react'
import { createQueryClient } from '#client/lib/query-client.ts'
import { toastFailure, useToast } from '#client/ui/toast-store.ts'
import { TooltipLayer } from '#client/ui/tooltip.tsx'
import { SlotProvider } from './slots.tsx'
import { matchRoute, useLocation, useRouter } from 'wouter'
import type { AuthStatus } from '#shared/schemas/auth.ts'
import { type AppRoute, signedInRoutes } from './routes.ts'
import { authStatusQuery, meQuery } from '#client/features/auth/auth.api.ts'
import { BillingContext } from '#client/lib/billing.ts'
import { remedyOf } from '#client/lib/api.ts'
import { loadWhenIdle } from '#client/lib/idle.ts'
import { authStatusKey } from '#client/lib/query-keys.ts'
import { forgetLeftSession, useLeftSession } from '#client/lib/signing-out.ts'
import { tab } from '#client/lib/tab.ts'
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

/** What shows toasts comes while nothing else happens, or with the first of them. */
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
    // The next toast tries again.
    load().catch(() => undefined)
    return undefined
  }, [Toaster, wanted])
  return Toaster ? <Toaster /> : null
}

/** The page's code arrives while the server says who is there, and what it shows first while the frame around it is drawn. */
function usePreloadedPage(): void {
  const { parser } = useRouter()
  const [path] = useLocation()
  const cache = useQueryClient()
  useEffect(() => {
    const route = signedInRoutes.find((one) => matchRoute(parser, one.path, path)[0])
    const load = async () => {
      await Promise.all([route?.Page.preload(), tab.isFirstPage ? prepare(cache, route) : undefined])
    }
    // Rendering asks for it again, and shows a failure.
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
 * Whether the session of a status was left in this browser (`isLeft`: the server may not have heard of it yet), or has been for as long as this
 * page is open (`isOver`): then the status is older than that, and is asked for anew.
 */
function useEndOfSession(status: AuthStatus | undefined): { isLeft: boolean; isOver: boolean } {
  const cache = useQueryClient()
  const left = useLeftSession()
  const [lastLeft, setLastLeft] = useState(left)
  if (left !== undefined && left !== lastLeft) setLastLeft(left)
  const session = status?.session ?? undefined
  useEffect(() => {
    // The server has no such session any more, or there is a newer one.
    if (status && left !== undefined && left !== session) forgetLeftSession()
  }, [status, left, session])
  const isLeft = left !== undefined && left === session
  const isOver = !isLeft && session !== undefined && session === lastLeft
  useEffect(() => {
    // Another tab has told the server, or somebody has signed in anew.
    if (isOver) void cache.invalidateQueries({ queryKey: authStatusKey })
  }, [cache, isOver])
  return { isLeft, isOver }
}

/** Decides by the authentication status which routes exist. A session that was left in this browser is none any more. */
function AccessGate() {
  usePreloadedPage()
  const status = useQuery(authStatusQuery())
  const { isLeft, isOver } = useEndOfSession(status.data)
  if (status.data)
    return (
      <BillingContext value={status.data.billing}>
        {status.data.authenticated && !isLeft && !isOver ? <SignedInApp /> : <SignedOutApp isLeft={isLeft} />}
      </BillingContext>
    )
  return (
    <Splash
      text="Loading Lanewire"
      failure={status.error ? remedyOf(status.error) : undefined}
      retrying={status.isFetching}
      onRetry={() => void status.refetch()}
    />
  )
}
