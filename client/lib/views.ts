import { useEffect, useEffectEvent, useRef } from 'react'
import type { ViewKind } from '#shared/events/control.ts'
import { currentSocket } from './connection.ts'
import { tab } from './tab.ts'

const refusedRetryMs = 3_000

const viewKey = (kind: ViewKind, id: string) => `${kind}:${id}`

/** Without a connection nothing is said: the next one joins all that is on screen. */
function sendView(kind: ViewKind, id: string, on: boolean): void {
  const socket = currentSocket()
  if (socket?.connected !== true) return
  const key = viewKey(kind, id)
  socket.emit('view', { kind, id, on }, (answer) => {
    // Too much came and went at once: said again a moment later, if it is still so.
    if (!answer.ok && answer.error.code === 'rate_limited')
      setTimeout(() => tab.views.has(key) === on && sendView(kind, id, on), refusedRetryMs)
    // What is gone has no room, which whoever shows it has to learn, too.
    else if (on && (answer.ok || answer.error.code === 'not_found'))
      for (const listener of tab.joining.get(key) ?? []) listener()
  })
}

/**
 * Runs each time this tab has been let into the room of something on screen, or hears that it is gone, once there is
 * something to compare with (`ready`): what was fetched before may have missed events.
 */
export function useJoined(kind: ViewKind, id: string, ready: boolean, onJoined: () => void): void {
  const due = useRef(false)
  const run = useEffectEvent(() => {
    if (!due.current || !ready) return
    due.current = false
    onJoined()
  })
  useEffect(() => {
    const key = viewKey(kind, id)
    const told = tab.joining.get(key) ?? new Set()
    tab.joining.set(key, told)
    const listener = () => {
      due.current = true
      run()
    }
    told.add(listener)
    return () => {
      told.delete(listener)
      if (told.size === 0) tab.joining.delete(key)
    }
  }, [kind, id])
  useEffect(() => {
    if (ready) run()
  }, [ready])
}

const auctionKinds: ReadonlySet<ViewKind> = new Set(['auction', 'lot', 'lane'])

/** Whether an auction that is open, or the Lane, is on screen. */
export const showsAuction = (): boolean => [...tab.views.values()].some(({ kind }) => auctionKinds.has(kind))

function tellViewing(): void {
  for (const listener of tab.viewing) listener()
}

/** Joins what is on screen while the component shows it; several components may show the same. */
export function useView(kind: ViewKind, id: string, enabled = true): void {
  useEffect(() => {
    if (!enabled) return
    const key = viewKey(kind, id)
    const entry = tab.views.get(key) ?? { kind, id, count: 0 }
    entry.count += 1
    tab.views.set(key, entry)
    if (entry.count === 1) {
      sendView(kind, id, true)
      tellViewing()
    }
    return () => {
      entry.count -= 1
      if (entry.count > 0) return
      tab.views.delete(key)
      sendView(kind, id, false)
      tellViewing()
    }
  }, [kind, id, enabled])
}

/** A new connection is in no room: joins all that is on screen. */
export function joinViews(): void {
  for (const { kind, id } of tab.views.values()) sendView(kind, id, true)
}
