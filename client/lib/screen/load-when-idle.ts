/** Milliseconds after which a page has usually loaded its content. Few people click earlier. */
const settledMs = 2_000

/** Loads code in advance once the page has settled and the browser is idle. Ignores failures. Returns a function that cancels the load. */
export function loadWhenIdle(load: () => Promise<unknown>): () => void {
  const start = () => void load().catch(() => undefined)
  const timer = setTimeout(() => {
    if ('requestIdleCallback' in window) requestIdleCallback(start)
    else start()
  }, settledMs)
  return () => clearTimeout(timer)
}
