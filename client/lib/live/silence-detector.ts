import type { LiveSocket } from './connection.ts'
import { tab } from '../storage/tab-state.ts'
import { showsAuction } from './room-views.ts'

/** Milliseconds without a packet, after which the client sends a probe. */
const quietMs = 1_000
/** Milliseconds to wait for a response to the probe. After that, the connection counts as silent. */
const answerMs = 1_000
/** Milliseconds after the probe until the client reconnects: about five seconds after the last packet. */
const replaceMs = 4_000
/** If a timer fires this many milliseconds late, the tab was busy and must first process the packets that have queued up. */
const lateMs = 200

interface SilenceOptions {
  onSilent: (isSilent: boolean) => void
  onDead: () => void
}

/** While an auction is on screen, detects a dead connection within two seconds, because a stale price would look current. */
export function detectSilence(socket: LiveSocket, { onSilent, onDead }: SilenceOptions): () => void {
  let receivedAtMs = performance.now()
  let probedAtMs: number | undefined
  let dueAtMs = 0
  let isSilent = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const schedule = (afterMs: number) => {
    clearTimeout(timer)
    dueAtMs = performance.now() + afterMs
    timer = setTimeout(check, afterMs)
  }
  const pause = () => {
    clearTimeout(timer)
    timer = undefined
    probedAtMs = undefined
  }
  const sendProbe = (nowMs: number) => {
    probedAtMs = nowMs
    socket.emit('ping', () => undefined)
    schedule(answerMs)
  }
  const check = () => {
    const nowMs = performance.now()
    if (nowMs - dueAtMs > lateMs) return schedule(lateMs)
    if (probedAtMs === undefined) {
      const leftMs = receivedAtMs + quietMs - nowMs
      return leftMs > 0 ? schedule(leftMs) : sendProbe(nowMs)
    }
    const leftMs = probedAtMs + replaceMs - nowMs
    if (leftMs <= 0) {
      pause()
      return onDead()
    }
    setSilent(true)
    return schedule(leftMs)
  }
  const setSilent = (next: boolean) => {
    if (isSilent === next) return
    isSilent = next
    onSilent(next)
  }
  const onPacket = () => {
    receivedAtMs = performance.now()
    setSilent(false)
    if (probedAtMs === undefined) return
    probedAtMs = undefined
    schedule(quietMs)
  }
  const startOrPause = () => {
    if (!socket.connected || document.hidden || !showsAuction()) pause()
    else if (timer === undefined) schedule(0)
  }
  const opened = () => {
    onPacket()
    socket.io.engine.on('packet', onPacket)
  }
  socket.io.on('open', opened)
  socket.on('connect', startOrPause)
  socket.on('disconnect', startOrPause)
  tab.viewing.add(startOrPause)
  document.addEventListener('visibilitychange', startOrPause)
  return () => {
    pause()
    socket.io.off('open', opened)
    tab.viewing.delete(startOrPause)
    document.removeEventListener('visibilitychange', startOrPause)
  }
}
