import { useEffect, useEffectEvent, useRef } from 'react'
import type { ViewKind } from '#shared/events/control.ts'
import { currentSocket } from './connection.ts'
import { tab } from '../storage/tab-state.ts'

const refusedRetryMs = 3_000

const viewKey = (kind: ViewKind, id: string) => `${kind}:${id}`

/** Joins or leaves a room. Does nothing while disconnected, because the next connection joins the rooms of all items on screen. */
function sendView(kind: ViewKind, id: string, on: boolean): void {
  const socket = currentSocket()
  if (socket?.connected !== true) return
  const key = viewKey(kind, id)
  if (on) tab.refusedViews.delete(key)
  socket.emit('view', { kind, id, on }, (answer) => {
    // The request was rate-limited. Retry it, unless the item has left or entered the screen by then.
    if (!answer.ok && answer.error.code === 'rate_limited')
      setTimeout(() => tab.views.has(key) === on && sendView(kind, id, on), refusedRetryMs)
    else if (on && !answer.ok && answer.error.code === 'conflict') tab.refusedViews.add(key)
    else if (!on) joinRefused()
    // Also call the listeners if the room does not exist, because its post or auction was deleted.
    else if (answer.ok || answer.error.code === 'not_found')
      for (const listener of tab.joining.get(key) ?? []) listener()
  })
}

/** Joins one of the rooms that the server refused because this tab was in too many, now that it has left another. */
function joinRefused(): void {
  for (const key of tab.refusedViews) {
    tab.refusedViews.delete(key)
    const view = tab.views.get(key)
    if (view !== undefined) return sendView(view.kind, view.id, true)
  }
}

/** Runs `onJoined` once the data is loaded (`ready`) and this tab has joined the room or the room no longer exists. */
export function useJoined(kind: ViewKind, id: string, ready: boolean, onJoined: () => void): void {
  const due = useRef(false)
  const run = useEffectEvent(() => {
    if (!due.current || !ready) return
    due.current = false
    onJoined()
  })
  useEffect(() => {
    const key = viewKey(kind, id)
    const joinListeners = tab.joining.get(key) ?? new Set()
    tab.joining.set(key, joinListeners)
    const listener = () => {
      due.current = true
      run()
    }
    joinListeners.add(listener)
    return () => {
      joinListeners.delete(listener)
      if (joinListeners.size === 0) tab.joining.delete(key)
    }
  }, [kind, id])
  useEffect(() => {
    if (ready) run()
  }, [ready])
}

const auctionKinds: ReadonlySet<ViewKind> = new Set(['auction', 'lot', 'lane'])

export const showsAuction = (): boolean => [...tab.views.values()].some(({ kind }) => auctionKinds.has(kind))

function notifyViewing(): void {
  for (const listener of tab.viewing) listener()
}

/** Keeps this tab in a room while the component is mounted. Several components can use the same room. */
export function useView(kind: ViewKind, id: string, enabled = true): void {
  useEffect(() => {
    if (!enabled) return
    const key = viewKey(kind, id)
    const entry = tab.views.get(key) ?? { kind, id, count: 0 }
    entry.count += 1
    tab.views.set(key, entry)
    if (entry.count === 1) {
      sendView(kind, id, true)
      notifyViewing()
    }
    return () => {
      entry.count -= 1
      if (entry.count > 0) return
      tab.views.delete(key)
      sendView(kind, id, false)
      notifyViewing()
    }
  }, [kind, id, enabled])
}

/** Joins the rooms of all items on screen again. Call this after each connect. */
export function joinViews(): void {
  for (const { kind, id } of tab.views.values()) sendView(kind, id, true)
}
