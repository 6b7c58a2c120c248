import { useQueryClient } from '@tanstack/react-query'
import { Suspense, useEffect } from 'react'
import { Redirect, Route, Switch, useLocation } from 'wouter'
import { forgetDealer } from '#client/lib/query-client.ts'
import { Goodbye } from './goodbye.tsx'
import { signedOutRoutes } from './routes.ts'
import { useScrollMemory } from './scroll-memory.ts'
import { Splash } from './splash.tsx'

/**
 * For visitors, and in place of the app once its session was left: then sign-in stands at every address that is not open to all.
 * What is typed there stays when the server confirms that it was left.
 * @param isLeft the server may still take the cookie for somebody
 */
export function SignedOutApp({ isLeft = false }: { isLeft?: boolean }) {
  const cache = useQueryClient()
  useScrollMemory()
  useEffect(() => forgetDealer(cache), [cache])
  return (
    <>
      {isLeft ? <Goodbye /> : null}
      <Suspense fallback={<Splash text="Loading Lanewire" />}>
        <Switch>
          {signedOutRoutes.map(({ path, Page }) => (
            <Route key={path} path={path} component={Page} />
          ))}
          <Route>{isLeft ? <Redirect to="/login" replace /> : <PublicDocument />}</Route>
        </Switch>
      </Suspense>
    </>
  )
}

/**
 * The public pages are documents of their own, without the app's script: asks the server for this address again,
 * which sends a visitor the right one (and keeps the path for after sign-in).
 */
function PublicDocument() {
  const [path] = useLocation()
  useEffect(() => window.location.replace(path + window.location.search), [path])
  return <Splash text="Loading Lanewire" />
}
