import { useQueryClient } from '@tanstack/react-query'
import { Suspense, useEffect } from 'react'
import { Redirect, Route, Switch, useLocation } from 'wouter'
import { showBadge } from '#client/lib/badge.ts'
import { closeNotices } from '#client/lib/push-device.ts'
import { forgetDealer } from '#client/lib/query/query-client.ts'
import { PendingSignOut } from './pending-sign-out.tsx'
import { signedOutRoutes } from './routes.ts'
import { useScrollMemory } from './scroll-memory.ts'
import { Splash } from './splash.tsx'

/**
 * The app for visitors, which requests unknown URLs from the server. Stays mounted while a sign-out is confirmed, to keep typed input.
 * @param isSignedOut true until the server confirms the sign-out; unknown URLs then lead to the sign-in page
 */
export function SignedOutApp({ isSignedOut = false }: { isSignedOut?: boolean }) {
  const cache = useQueryClient()
  useScrollMemory()
  useEffect(() => forgetDealer(cache), [cache])
  useEffect(() => {
    showBadge(0)
    void closeNotices()
  }, [])
  return (
    <>
      {isSignedOut ? <PendingSignOut /> : null}
      <Suspense fallback={<Splash text="Loading Lanewire" />}>
        <Switch>
          {signedOutRoutes.map(({ path, Page }) => (
            <Route key={path} path={path} component={Page} />
          ))}
          <Route>{isSignedOut ? <Redirect to="/login" replace /> : <PublicDocument />}</Route>
        </Switch>
      </Suspense>
    </>
  )
}

/** Requests this URL from the server, which has the public pages and remembers the path until after sign-in. */
function PublicDocument() {
  const [path] = useLocation()
  useEffect(() => window.location.replace(path + window.location.search), [path])
  return <Splash text="Loading Lanewire" />
}
