import { useSyncExternalStore } from 'react'
import { useSearchParams } from 'wouter'

/** Events after which the URL may have changed. wouter dispatches `pushState` and `replaceState` when it navigates. */
const urlChangeEvents = ['hashchange', 'pushState', 'replaceState', 'popstate']

function subscribe(listener: () => void): () => void {
  for (const move of urlChangeEvents) addEventListener(move, listener)
  return () => {
    for (const move of urlChangeEvents) removeEventListener(move, listener)
  }
}

/**
 * Returns the secret from an emailed link. It is in the URL's fragment, which does not get into logs and referrers.
 * Older links have it in the query string.
 */
export function useLinkSecret(name: 'token' | 'change' | 'prove'): string | null {
  const fragment = useSyncExternalStore(subscribe, () => location.hash.slice(1))
  const [params] = useSearchParams()
  return new URLSearchParams(fragment).get(name) ?? params.get(name)
}
