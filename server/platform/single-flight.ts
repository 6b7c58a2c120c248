import { LRUCache } from 'lru-cache'

const entriesMax = 500

type Make<T> = () => Promise<T>

/** A cache of values by key. Call `forceFetch(key, { context: make })`. Concurrent calls for a key share one computation. */
export type SingleFlight<T extends object | number> = LRUCache<string, T, Make<T>>

/**
 * Does not cache errors, nor values that are deleted while they are computed.
 * @param stale if true, returns an expired value while a new one is computed, and keeps the expired value if that fails
 */
export function createSingleFlight<T extends object | number>(ttlMs: number, { stale = false } = {}): SingleFlight<T> {
  return new LRUCache<string, T, Make<T>>({
    max: entriesMax,
    ttl: ttlMs,
    allowStale: stale,
    ignoreFetchAbort: true,
    fetchMethod: (_key, old, { context: make }) => (stale && old !== undefined ? make().catch(() => old) : make()),
  })
}

/** Deletes cached values. Values that `isKept` accepts are only marked as stale, for caches that return stale values. */
export function markStale<T extends object | number>(cache: SingleFlight<T>, isKept: (value: T) => boolean): void {
  const kept = cache.dump().filter(([, { value }]) => isKept(value))
  cache.clear()
  for (const [key, { value }] of kept) cache.set(key, value, { start: -Infinity })
}
