import { type ReactNode, useEffect } from 'react'
import { matchRoute, Redirect, useLocation, useRouter } from 'wouter'
import type { CurrentUser } from '#shared/schemas/dealers.ts'
import { useCurrentDealer } from '#client/lib/session/current-dealer.ts'
import { rememberWantedPath } from '#client/lib/session/path-after-sign-in.ts'
import { mailedRoutes, signedInRoutes } from './routes.ts'
import { Splash } from './splash.tsx'

/** The start page: the feed for dealers, admin pages for invited staff, onboarding without a profile or admission. */
export function homeOf({ role, profileComplete, admission }: CurrentUser): string {
  if (admission !== 'admitted') return '/onboarding'
  if (profileComplete) return '/'
  if (role === 'admin') return '/admin'
  return role === 'ops' ? '/admin/queues' : '/onboarding'
}

/** The page after sign-in if none was wanted: the queues for ops staff, even those with a dealership. */
export const landingOf = ({ role, admission }: CurrentUser): string =>
  role === 'ops' && admission === 'admitted' ? '/admin/queues' : '/'

/** Pages that only dealers can use. */
const dealersOnly: ReadonlySet<string> = new Set(['/', '/onboarding', '/payment'])

const alwaysOpen = /^\/(help|contact|privacy)(\/|$)/

/** Sends dealers without a profile or admission to onboarding, like the server, and later to the page they wanted. */
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

/** Loads a public page from the server, because the app's script does not include it. */
function PublicPage() {
  useEffect(() => {
    const address = new URL(window.location.href)
    address.searchParams.set('public', '')
    window.location.replace(address)
  }, [])
  return <Splash text="Loading" />
}
