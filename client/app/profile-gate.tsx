import { type ReactNode, useEffect } from 'react'
import { matchRoute, Redirect, useLocation, useRouter } from 'wouter'
import type { CurrentUser } from '#shared/schemas/dealers.ts'
import { useCurrentDealer } from '#client/lib/session/current-dealer.ts'
import { rememberWantedPath } from '#client/lib/session/path-after-sign-in.ts'
import { mailedRoutes, signedInRoutes } from './routes.ts'
import { Splash } from './splash.tsx'

/** Returns the start page: the feed for dealers, admin pages for invited staff, otherwise onboarding. */
export function homeOf({ role, profileComplete, admission }: CurrentUser): string {
  if (admission !== 'admitted') return '/onboarding'
  if (profileComplete) return '/'
  if (role === 'admin') return '/admin'
  return role === 'ops' ? '/admin/queues' : '/onboarding'
}

/** Returns the page to open after sign-in: the queues page for ops staff, even if they have a dealership. */
export const landingOf = ({ role, admission }: CurrentUser): string =>
  role === 'ops' && admission === 'admitted' ? '/admin/queues' : '/'

const dealersOnly: ReadonlySet<string> = new Set(['/', '/onboarding', '/payment'])

const alwaysOpen = /^\/(help|contact|privacy)(\/|$)/

/** Redirects dealers without a profile or admission to onboarding, which then opens the requested page. Invited staff skip onboarding. */
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

/** Loads a public page from the server, because the app does not contain the public pages. */
function PublicPage() {
  useEffect(() => {
    const address = new URL(window.location.href)
    address.searchParams.set('public', '')
    window.location.replace(address)
  }, [])
  return <Splash text="Loading" />
}
