import { useSyncExternalStore } from 'react'
import { useSearchParams } from 'wouter'

/** Events that change the URL, including those that wouter dispatches on navigation. */
const moves = ['hashchange', 'pushState', 'replaceState', 'popstate']

function subscribe(listener: () => void): () => void {
  for (const move of moves) addEventListener(move, listener)
  return () => {
    for (const move of moves) removeEventListener(move, listener)
  }
}

/**
 * Returns the secret from a link in an email. The secret is in the URL's fragment, which stays out of logs and referrers.
 * Older links have it in the query string.
 */
export function useLinkSecret(name: 'token' | 'change' | 'prove'): string | null {
  const fragment = useSyncExternalStore(subscribe, () => location.hash.slice(1))
  const [params] = useSearchParams()
  return new URLSearchParams(fragment).get(name) ?? params.get(name)
}
