import { Suspense, useEffect } from 'react'
import { Route, Switch, useLocation } from 'wouter'
import { rememberWantedPath } from '#client/lib/wanted-path.ts'
import { Landing, signedInRoutes, signedOutRoutes } from './routes.ts'
import { useScrollMemory } from './scroll-memory.ts'
import { Splash } from './splash.tsx'

export function SignedOutApp() {
  useScrollMemory()
  return (
    <Suspense fallback={<Splash text="Loading Lanewire" />}>
      <Switch>
        {signedOutRoutes.map(({ path, Page }) => (
          <Route key={path} path={path} component={Page} />
        ))}
        {signedInRoutes.map(({ path }) => (
          <Route key={path} path={path} component={WantedPage} />
        ))}
        <Route component={Landing} />
      </Switch>
    </Suspense>
  )
}

/** The landing page on an address that exists only for dealers: sign-in leads back to it. */
function WantedPage() {
  const [path] = useLocation()
  useEffect(() => rememberWantedPath(path + window.location.search), [path])
  return <Landing />
}
