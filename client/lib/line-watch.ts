import type { LiveSocket } from './connection.ts'
import { tab } from './tab.ts'
import { showsAuction } from './views.ts'

/** After so long without a word the server is asked for one. */
const quietMs = 1_000
/** Without a word for so long after that nothing arrives any more. */
const answerMs = 1_000
/** Then another connection is made: five seconds after the last word. */
const replaceMs = 4_000
/** A timer so late means that this tab was busy: what has come meanwhile waits behind it, and goes first. */
const lateMs = 200

interface LineParts {
  /** Nothing arrives any more, although the connection is said to stand; or it does again, without anything lost. */
  onSilent: (isSilent: boolean) => void
  /** It stayed silent: this connection is given up for another. */
  onDead: () => void
}

/**
 * Notices within two seconds that a connection carries nothing any more, where a price that stands still is taken for the truth: while an
 * auction or the Lane is on screen. A line on which something is heard every second is asked nothing. Answers how to stop.
 */
export function watchLine(socket: LiveSocket, { onSilent, onDead }: LineParts): () => void {
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
  /** While nobody sees it, or there is no connection anyway, nothing is asked. */
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
