import { useSyncExternalStore } from 'react'
import { useSearchParams } from 'wouter'

/** Includes the events that wouter dispatches on navigation. */
const moves = ['hashchange', 'pushState', 'replaceState', 'popstate']

function subscribe(listener: () => void): () => void {
  for (const move of moves) addEventListener(move, listener)
  return () => {
    for (const move of moves) removeEventListener(move, listener)
  }
}

/** The secret of a mailed link, or null. The fragment stays out of logs and referrers. Older links have it in the query. */
export function useLinkSecret(name: 'token' | 'change' | 'prove'): string | null {
  const fragment = useSyncExternalStore(subscribe, () => location.hash.slice(1))
  const [params] = useSearchParams()
  return new URLSearchParams(fragment).get(name) ?? params.get(name)
}
