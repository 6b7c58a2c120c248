/** Calls `run` at intervals while the tab is visible, and at once when the tab becomes visible again. */
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
    // Run after the other listeners of this event, because they may record the time.
    again = setTimeout(run, 0)
  }
  document.addEventListener('visibilitychange', follow)
  if (!document.hidden) begin()
  return () => {
    stop()
    document.removeEventListener('visibilitychange', follow)
  }
}
