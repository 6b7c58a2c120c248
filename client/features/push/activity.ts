import { currentSocket } from '#client/lib/live/connection.ts'
import { activeEveryMs, activeMs } from '#shared/limits.ts'

const signs = ['pointerdown', 'keydown', 'scroll'] as const
/** Often enough that reports never lie much more than `activeEveryMs` apart. */
const checkMs = activeEveryMs / 3

/**
 * Tells the server while the dealer uses this tab, so that pushes wait: it is visible, focused, and had a press, key or scroll
 * lately. Returns a function that stops it.
 */
export function reportActivity(): () => void {
  let usedAt = Number.NEGATIVE_INFINITY
  let saidAt = Number.NEGATIVE_INFINITY
  const report = () => {
    const now = performance.now()
    const isActive = document.visibilityState === 'visible' && document.hasFocus() && now - usedAt < activeMs
    const socket = currentSocket()
    if (!isActive || now - saidAt < activeEveryMs || socket?.connected !== true) return
    saidAt = now
    // An old report would be wrong, so it is not kept for a lost connection.
    socket.volatile.emit('active', {}, () => undefined)
  }
  const use = () => {
    usedAt = performance.now()
    report()
  }
  const timer = setInterval(report, checkMs)
  for (const sign of signs) document.addEventListener(sign, use, { capture: true, passive: true })
  return () => {
    clearInterval(timer)
    for (const sign of signs) document.removeEventListener(sign, use, { capture: true })
  }
}
