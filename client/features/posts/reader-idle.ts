const idleMs = 3_000
const topPx = 40
let lastActivityMs = Date.now()

for (const name of ['pointermove', 'pointerdown', 'keydown', 'wheel', 'touchstart', 'scroll'] as const) {
  addEventListener(name, () => (lastActivityMs = Date.now()), { passive: true, capture: true })
}

/** At the top with hands off: nothing would move under a reader. */
export function readerIsIdleAtTop(): boolean {
  if (window.scrollY > topPx) return false
  if (document.activeElement?.closest('[role="feed"], [role="dialog"]')) return false
  return document.hidden || Date.now() - lastActivityMs > idleMs
}
