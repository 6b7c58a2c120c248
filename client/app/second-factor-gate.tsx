import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, Suspense, useState } from 'react'
import { matchRoute, useLocation, useRouter } from 'wouter'
import { useCurrentDealer } from '#client/lib/session/current-dealer.ts'
import { lazyPart } from '#client/lib/screen/lazy-part.ts'
import { meKey } from '#client/lib/query/query-keys.ts'
import { toastFailure } from '#client/ui/toast-store.ts'
import { mailedRoutes } from './routes.ts'
import { Splash } from './splash.tsx'

const SecondFactorPage = lazyPart(async () => (await import('#client/pages/second-factor.tsx')).SecondFactorPage)

/** Blocks staff until they have set up the required second factor and seen their recovery codes. */
export function SecondFactorGate({ children }: { children: ReactNode }) {
  const { secondFactorDue } = useCurrentDealer()
  const [held, setHeld] = useState(secondFactorDue)
  const [wasDue, setWasDue] = useState(secondFactorDue)
  const cache = useQueryClient()
  const { parser } = useRouter()
  const [path] = useLocation()
  if (secondFactorDue !== wasDue) {
    setWasDue(secondFactorDue)
    if (secondFactorDue) setHeld(true)
  }
  // `held` keeps the setup page on screen until `done` has refetched the user.
  if (!(held || secondFactorDue) || mailedRoutes.some((one) => matchRoute(parser, one.path, path)[0])) return children
  const done = () =>
    void cache.invalidateQueries({ queryKey: meKey }, { throwOnError: true }).then(
      () => setHeld(false),
      (error: unknown) => toastFailure('Error', error),
    )
  return (
    <Suspense fallback={<Splash text="Loading" />}>
      <SecondFactorPage onDone={done} />
    </Suspense>
  )
}
