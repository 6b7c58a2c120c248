import { Suspense, useEffect } from 'react'
import { Route, Switch, useLocation } from 'wouter'
import { resetStore } from '#client/lib/slice.ts'
import { signedOutRoutes } from './routes.ts'
import { useScrollMemory } from './scroll-memory.ts'
import { Splash } from './splash.tsx'

export function SignedOutApp() {
  useScrollMemory()
  useEffect(resetStore, [])
  return (
    <Suspense fallback={<Splash text="Loading Lanewire" />}>
      <Switch>
        {signedOutRoutes.map(({ path, Page }) => (
          <Route key={path} path={path} component={Page} />
        ))}
        <Route component={PublicDocument} />
      </Switch>
    </Suspense>
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
