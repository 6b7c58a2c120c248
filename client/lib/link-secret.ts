import { useSyncExternalStore } from 'react'
import { useSearchParams } from 'wouter'

/** The router says by the middle two that it went to another address. */
const moves = ['hashchange', 'pushState', 'replaceState', 'popstate']

function subscribe(listener: () => void): () => void {
  for (const move of moves) addEventListener(move, listener)
  return () => {
    for (const move of moves) removeEventListener(move, listener)
  }
}

/**
 * The secret of a mailed link, null where there is none. It is in the fragment, which a browser sends to nobody: neither a log nor
 * another site learns it. Links that earlier versions mailed have it in the query.
 */
export function useLinkSecret(name: 'token' | 'change' | 'prove'): string | null {
  const fragment = useSyncExternalStore(subscribe, () => location.hash.slice(1))
  const [params] = useSearchParams()
  return new URLSearchParams(fragment).get(name) ?? params.get(name)
}
