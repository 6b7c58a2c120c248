/** Milliseconds after which a page has usually loaded its content. Few people click earlier than that. */
const settledMs = 2_000

/** Loads code in advance once the page has loaded and the browser is idle. Ignores failures. Returns a function that cancels it. */
export function loadWhenIdle(load: () => Promise<unknown>): () => void {
  const start = () => void load().catch(() => undefined)
  const timer = setTimeout(() => {
    if ('requestIdleCallback' in window) requestIdleCallback(start)
    else start()
  }, settledMs)
  return () => clearTimeout(timer)
}
