import { everyVisible } from '#client/lib/screen/visible-interval.ts'
import { currentSocket } from '#client/lib/live/connection.ts'
import { activeEveryMs, activeMs } from '#shared/limits.ts'

const activityEvents = ['pointerdown', 'keydown', 'scroll'] as const
/** Milliseconds between checks, short enough that reports are sent about every `activeEveryMs`. */
const checkMs = activeEveryMs / 3

/**
 * Reports activity to the server while the dealer uses this tab, so that the server delays push messages. A tab is used if it has focus and
 * was recently clicked, scrolled or typed in. Returns a function that stops the reports.
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
    // `volatile` drops reports while the socket is disconnected, because a late report would be wrong.
    socket.volatile.emit('active', {}, () => undefined)
  }
  const use = () => {
    usedAt = performance.now()
    report()
  }
  const stop = everyVisible(checkMs, report)
  for (const sign of activityEvents) document.addEventListener(sign, use, { capture: true, passive: true })
  return () => {
    stop()
    for (const sign of activityEvents) document.removeEventListener(sign, use, { capture: true })
  }
}
