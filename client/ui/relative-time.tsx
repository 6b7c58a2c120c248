import { useSyncExternalStore } from 'react'
import { formatDateTime, formatRelativeTime } from './format.ts'

const tickMs = 30_000
const listeners = new Set<() => void>()
let nowMs = Date.now()
let timer: ReturnType<typeof setInterval> | undefined

// One timer for every age on the screen; it stops with the last of them.
function subscribe(listener: () => void) {
  listeners.add(listener)
  nowMs = Date.now()
  timer ??= setInterval(() => {
    nowMs = Date.now()
    for (const listener of listeners) listener()
  }, tickMs)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** An age that stays right, with the full date on hover. */
export function RelativeTime({ iso, className }: { iso: string; className?: string }) {
  const now = useSyncExternalStore(subscribe, () => nowMs)
  return (
    <time dateTime={iso} title={formatDateTime(iso)} className={className}>
      {formatRelativeTime(iso, now)}
    </time>
  )
}
