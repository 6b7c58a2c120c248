import { LRUCache } from 'lru-cache'

const entriesMax = 500

/** How a value is made: given with each question, as the one who asks knows it. */
type Make<T> = () => Promise<T>

/** Values by key for a while: `forceFetch(key, { context: make })`. Those who ask while one is being made wait for the same one. */
export type SingleFlight<T extends object | number> = LRUCache<string, T, Make<T>>

/**
 * What could not be made is not kept. Nor is what was being made while it was deleted: those who wait for it still get it.
 * @param stale an old value is answered at once while a new one is being made, and stays where that fails
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

/** Forgets the values, but those that `keep` names only grow old: whoever takes a stale one still gets them. */
export function outdate<T extends object | number>(cache: SingleFlight<T>, keep: (value: T) => boolean): void {
  const kept = cache.dump().filter(([, { value }]) => keep(value))
  cache.clear()
  for (const [key, { value }] of kept) cache.set(key, value, { start: -Infinity })
}
