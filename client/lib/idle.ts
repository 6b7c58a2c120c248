/** By then a page has what it shows; nobody clicks much earlier. */
const settledMs = 2_000

/**
 * Fetches code before it is asked for, once the page stands and the browser has nothing better to do. A failure is not
 * news: the code is fetched again when it is needed.
 * @returns what calls it off
 */
export function loadWhenIdle(load: () => Promise<unknown>): () => void {
  const start = () => void load().catch(() => undefined)
  const timer = setTimeout(() => {
    // Safari has no idle callback.
    if ('requestIdleCallback' in window) requestIdleCallback(start)
    else start()
  }, settledMs)
  return () => clearTimeout(timer)
}
