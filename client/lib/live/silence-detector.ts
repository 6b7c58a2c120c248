import type { LiveSocket } from './connection.ts'
import { tab } from '../storage/tab-state.ts'
import { showsAuction } from './room-views.ts'

/** Silence before the client sends a probe. */
const quietMs = 1_000
/** Silence after the probe before the line counts as dead. */
const answerMs = 1_000
/** Further silence before the client reconnects: five seconds after the last packet. */
const replaceMs = 4_000
/** A timer this late means that the tab was busy. Packets may be queued behind it and are processed first. */
const lateMs = 200

interface LineParts {
  onSilent: (isSilent: boolean) => void
  onDead: () => void
}

/**
 * Detects a dead connection within two seconds while an auction or Lane is on screen, where a stale price looks real.
 * Sends no probes while packets arrive. Returns a function that stops it.
 */
export function detectSilence(socket: LiveSocket, { onSilent, onDead }: LineParts): () => void {
  let heardAtMs = performance.now()
  let askedAtMs: number | undefined
  let dueAtMs = 0
  let isSilent = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const plan = (afterMs: number) => {
    clearTimeout(timer)
    dueAtMs = performance.now() + afterMs
    timer = setTimeout(look, afterMs)
  }
  const rest = () => {
    clearTimeout(timer)
    timer = undefined
    askedAtMs = undefined
  }
  const ask = (nowMs: number) => {
    askedAtMs = nowMs
    socket.emit('ping', () => undefined)
    plan(answerMs)
  }
  const look = () => {
    const nowMs = performance.now()
    if (nowMs - dueAtMs > lateMs) return plan(lateMs)
    if (askedAtMs === undefined) {
      const leftMs = heardAtMs + quietMs - nowMs
      return leftMs > 0 ? plan(leftMs) : ask(nowMs)
    }
    const leftMs = askedAtMs + replaceMs - nowMs
    if (leftMs <= 0) {
      rest()
      return onDead()
    }
    setSilent(true)
    return plan(leftMs)
  }
  const setSilent = (next: boolean) => {
    if (isSilent === next) return
    isSilent = next
    onSilent(next)
  }
  const hear = () => {
    heardAtMs = performance.now()
    setSilent(false)
    if (askedAtMs === undefined) return
    askedAtMs = undefined
    plan(quietMs)
  }
  /** Sends no probes while the page is hidden or disconnected. */
  const follow = () => {
    if (!socket.connected || document.hidden || !showsAuction()) rest()
    else if (timer === undefined) plan(0)
  }
  const opened = () => {
    hear()
    socket.io.engine.on('packet', hear)
  }
  socket.io.on('open', opened)
  socket.on('connect', follow)
  socket.on('disconnect', follow)
  tab.viewing.add(follow)
  document.addEventListener('visibilitychange', follow)
  return () => {
    rest()
    socket.io.off('open', opened)
    tab.viewing.delete(follow)
    document.removeEventListener('visibilitychange', follow)
  }
}
