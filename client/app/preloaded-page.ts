import { useEffect } from 'react'
import { matchRoute, useLocation, useRouter } from 'wouter'
import { signedInRoutes } from './routes.ts'

/** The page's code arrives while the server says who is there, not after that. */
export function usePreloadedPage(): void {
  const { parser } = useRouter()
  const [path] = useLocation()
  useEffect(() => {
    const route = signedInRoutes.find((one) => matchRoute(parser, one.path, path)[0])
    // Rendering asks for it again, and shows a failure.
    void route?.Page.preload().catch(() => undefined)
  }, [parser, path])
}
