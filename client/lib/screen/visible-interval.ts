/**
 * Calls `run` at intervals while the tab is visible. Nothing runs in a hidden tab; `run` is called as soon as it is visible again.
 * Returns a function that stops it.
 */
export function everyVisible(ms: number, run: () => void): () => void {
  let timer: ReturnType<typeof setInterval> | undefined
  let again: ReturnType<typeof setTimeout> | undefined
  const stop = () => {
    clearInterval(timer)
    clearTimeout(again)
  }
  const begin = () => {
    timer = setInterval(run, ms)
  }
  const follow = () => {
    stop()
    if (document.hidden) return
    begin()
    // After the other listeners of this event, which may note the time.
    again = setTimeout(run, 0)
  }
  document.addEventListener('visibilitychange', follow)
  if (!document.hidden) begin()
  return () => {
    stop()
    document.removeEventListener('visibilitychange', follow)
  }
}
