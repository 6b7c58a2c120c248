import { type ReactNode, useEffect } from 'react'
import { matchRoute, Redirect, useLocation, useRouter } from 'wouter'
import type { CurrentUser } from '#shared/schemas/dealers.ts'
import { useCurrentDealer } from '#client/lib/current-dealer.ts'
import { rememberWantedPath } from '#client/lib/wanted-path.ts'
import { mailedRoutes, signedInRoutes } from './routes.ts'
import { Splash } from './splash.tsx'

/**
 * Where an account is at home: a dealer in the feed, invited staff at their work, who has no profile yet before its form, and who
 * waits for an admin where that is said.
 */
export function homeOf({ role, profileComplete, admission }: CurrentUser): string {
  if (admission !== 'admitted') return '/onboarding'
  if (profileComplete) return '/'
  if (role === 'admin') return '/admin'
  return role === 'ops' ? '/admin/queues' : '/onboarding'
}

/** Where sign-in leads who wanted nothing in particular: ops to their work, even one who has a dealership, too. */
export const landingOf = ({ role, admission }: CurrentUser): string =>
  role === 'ops' && admission === 'admitted' ? '/admin/queues' : '/'

/** What only dealers have a use for. */
const dealersOnly: ReadonlySet<string> = new Set(['/', '/onboarding', '/payment'])

/** Pages of the public site that are there for everybody, whatever is still missing. */
const alwaysOpen = /^\/(help|contact|privacy)(\/|$)/

/**
 * The feed is of dealers for dealers: who has no profile yet is asked for one first, and who waits for an admin is told so, wherever
 * they want to go; they are led there afterwards. The server refuses their calls, too.
 */
export function ProfileGate({ children }: { children: ReactNode }) {
  const home = homeOf(useCurrentDealer())
  const { parser } = useRouter()
  const [path] = useLocation()
  const leadsTo = (routes: readonly { path: string }[]) => routes.some((one) => matchRoute(parser, one.path, path)[0])
  if (home === '/' || path === home || leadsTo(mailedRoutes)) return children
  if (home !== '/onboarding') return dealersOnly.has(path) ? <Redirect to={home} replace /> : children
  if (alwaysOpen.test(path)) return <PublicPage />
  const isWanted = path !== '/' && leadsTo(signedInRoutes.filter(({ bare }) => !bare))
  return <ToProfile wanted={isWanted ? path + window.location.search : undefined} />
}

function ToProfile({ wanted }: { wanted: string | undefined }) {
  useEffect(() => {
    if (wanted !== undefined) rememberWantedPath(wanted)
  }, [wanted])
  return <Redirect to="/onboarding" replace />
}

/** A document of its own, without the app's script. */
function PublicPage() {
  useEffect(() => {
    const address = new URL(window.location.href)
    address.searchParams.set('public', '')
    window.location.replace(address)
  }, [])
  return <Splash text="Loading" />
}
