import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Suspense, useEffect, useState } from 'react'
import { matchRoute, Redirect, Route, Switch, useLocation, useRouter } from 'wouter'
import { OutbidToast } from '#client/features/auctions/outbid-toast.tsx'
import { meQuery } from '#client/features/auth/auth.api.ts'
import { ProofWatch } from '#client/features/auth/security/proof-watch.tsx'
import { shortReasonOf } from '#client/lib/http/api.ts'
import { useBilling } from '#client/lib/session/billing-enabled.ts'
import { CurrentDealerContext, useCurrentDealer } from '#client/lib/session/current-dealer.ts'
import { startDrafts } from '#client/lib/storage/drafts.ts'
import { forgetDealer } from '#client/lib/query/query-client.ts'
import { loadWhenIdle } from '#client/lib/screen/load-when-idle.ts'
import { takeWantedPath } from '#client/lib/session/path-after-sign-in.ts'
import { AppFrame } from './app-frame.tsx'
import { useLive } from './live.ts'
import { ExtraBoundary, PageBoundary } from './page-error.tsx'
import { PageSkeleton } from './page-skeleton.tsx'
import { landingOf, ProfileGate } from './profile-gate.tsx'
import { SecondFactorGate } from './second-factor-gate.tsx'
import { NotFound, signedInRoutes, signedOutRoutes } from './routes.ts'
import { useScrollMemory } from './scroll-memory.ts'
import { Splash } from './splash.tsx'

/** Returns false if another dealer has signed in from another tab, until the previous dealer's cached data has been cleared. */
function useIsSameDealer(id: string | undefined): boolean {
  const cache = useQueryClient()
  const [shown, setShown] = useState(id)
  if (shown === undefined && id !== undefined) setShown(id)
  useEffect(() => {
    if (shown === undefined || shown === id) return
    forgetDealer(cache)
    setShown(id)
  }, [cache, id, shown])
  return shown === id
}

export function SignedInApp() {
  const me = useQuery(meQuery())
  const bare = useIsBare()
  const isSame = useIsSameDealer(me.data?.id)
  useScrollMemory()
  if (!me.data || !isSame) {
    return (
      <Splash
        text="Loading"
        failure={me.error ? shortReasonOf(me.error) : undefined}
        retrying={me.isFetching}
        onRetry={() => void me.refetch()}
      />
    )
  }
  return (
    <CurrentDealerContext value={me.data}>
      {/* Only admitted dealers get a live connection, because the server rejects dealers who are waiting for admission. */}
      {me.data.admission === 'admitted' ? <Session /> : null}
      <SecondFactorGate>
        <ProfileGate>
          {bare ? (
            <Pages />
          ) : (
            <AppFrame>
              <Pages />
            </AppFrame>
          )}
        </ProfileGate>
      </SecondFactorGate>
      <ExtraBoundary>
        <ProofWatch />
      </ExtraBoundary>
    </CurrentDealerContext>
  )
}

function Session() {
  const { id } = useCurrentDealer()
  useLive()
  useEffect(() => startDrafts(id), [id])
  // Preload the sign-in page, so that signing out works offline.
  useEffect(() => loadWhenIdle(async () => signedOutRoutes[0]?.Page.preload()), [])
  return <OutbidToast />
}

function useIsBare(): boolean {
  const { parser } = useRouter()
  const [path] = useLocation()
  return signedInRoutes.some((route) => route.bare && matchRoute(parser, route.path, path)[0])
}

function Pages() {
  const billing = useBilling()
  return (
    <PageBoundary>
      <Suspense fallback={<PageSkeleton />}>
        <Switch>
          {signedInRoutes
            .filter((route) => billing || !route.billing)
            .map(({ path, Page }) => (
              <Route key={path} path={path} component={Page} />
            ))}
          <Route path="/login">
            <SignedInAlready />
          </Route>
          <Route path="/setup">
            <SignedInAlready />
          </Route>
          <Route component={NotFound} />
        </Switch>
      </Suspense>
    </PageBoundary>
  )
}

function SignedInAlready() {
  return <Redirect to={takeWantedPath(landingOf(useCurrentDealer()))} replace />
}
