import type { QueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { io, type Socket } from 'socket.io-client'
import type { ClientToServer, ServerToClient } from '#shared/events/index.ts'
import type { ViewKind } from '#shared/events/control.ts'
import { type FeatureEvents, type InboxHandlers, type LiveHandlers, refetchLive } from './live.ts'
import { authStatusKey } from './query-keys.ts'

export type LiveSocket = Socket<ServerToClient, ClientToServer>

/** `connecting` until the first answer; `offline` whenever a connection that was there is gone. */
export type ConnectionState = 'connecting' | 'live' | 'offline'

interface Live {
  socket: LiveSocket
  views: Map<string, { kind: ViewKind; id: string; count: number }>
}

const reconnectMaxMs = 5_000
/** A jump of the clock by more than this means the machine slept: its transport may be dead without knowing. */
const sleepGapMs = 5_000
const clockCheckMs = 2_000
const hiddenLeaveMs = 5 * 60_000

let live: Live | undefined
let state: ConnectionState = 'connecting'
let clockOffsetMs = 0
let isClockMeasured = false
/** The build that greeted this tab first, and whether another one has since. */
let build: string | undefined
let updateWaiting = false
const listeners = new Set<() => void>()

function tell(): void {
  for (const listener of listeners) listener()
}

function setState(next: ConnectionState): void {
  if (state === next) return
  state = next
  tell()
}

function setBuild(greeting: string): void {
  build ??= greeting
  if (updateWaiting || greeting === build) return
  updateWaiting = true
  tell()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Whether events arrive. While they do not, screens live on the documented poll. */
export function useConnection(): ConnectionState {
  return useSyncExternalStore(subscribe, () => state)
}

/** Whether the server has been given a newer client than the one that runs in this tab. */
export function useUpdateWaiting(): boolean {
  return useSyncExternalStore(subscribe, () => updateWaiting)
}

/** The connection's state outside React. */
export const connectionState = (): ConnectionState => state

/** Takes the server's clock from an answer until a greeting has measured it. */
export function suggestServerTime(serverTime: string): void {
  if (!isClockMeasured) clockOffsetMs = Date.parse(serverTime) - Date.now()
}

/** The server's clock in milliseconds, as measured at the last greeting. */
export const serverNow = (): number => Date.now() + clockOffsetMs

/** The socket, for a feature's own commands; undefined while signed out. */
export const currentSocket = (): LiveSocket | undefined => live?.socket

function sendView(socket: LiveSocket, kind: ViewKind, id: string, on: boolean): void {
  socket.emit('view', { kind, id, on }, () => undefined)
}

/** Joins what is on screen while the component shows it; several components may show the same. */
export function useView(kind: ViewKind, id: string, enabled = true): void {
  useEffect(() => {
    if (!enabled) return
    const key = `${kind}:${id}`
    const entry = views.get(key) ?? { kind, id, count: 0 }
    entry.count += 1
    views.set(key, entry)
    if (entry.count === 1 && live?.socket.connected === true) sendView(live.socket, kind, id, true)
    return () => {
      entry.count -= 1
      if (entry.count > 0) return
      views.delete(key)
      if (live?.socket.connected === true) sendView(live.socket, kind, id, false)
    }
  }, [kind, id, enabled])
}

const views: Live['views'] = new Map()

/** Goes through Engine.IO's close: the client's own reconnection then takes over. */
function reopen(socket: LiveSocket): void {
  if (socket.connected) socket.io.engine.close()
  else socket.connect()
}

/** After sleep, a long time in the background, or `online`, a transport may be dead and still say it is open. */
function watchWake(socket: LiveSocket): () => void {
  let last = Date.now()
  let hiddenAt: number | undefined
  const timer = setInterval(() => {
    if (Date.now() - last > clockCheckMs + sleepGapMs) reopen(socket)
    last = Date.now()
  }, clockCheckMs)
  const onOnline = () => reopen(socket)
  const onVisibility = () => {
    if (document.hidden) hiddenAt = Date.now()
    else if (hiddenAt !== undefined && Date.now() - hiddenAt > hiddenLeaveMs) reopen(socket)
  }
  window.addEventListener('online', onOnline)
  document.addEventListener('visibilitychange', onVisibility)
  return () => {
    clearInterval(timer)
    window.removeEventListener('online', onOnline)
    document.removeEventListener('visibilitychange', onVisibility)
  }
}

interface LiveParts {
  cache: QueryClient
  handlers: Partial<LiveHandlers<FeatureEvents>>
  inbox: InboxHandlers[]
  /** Every greeting after the first: streams with numbers of their own catch up here. */
  onGreeting: ((socket: LiveSocket) => void)[]
}

/** Opens the one socket of this tab and turns its events into cache patches. Answers how to close it. */
export function openLive({ cache, handlers, inbox, onGreeting }: LiveParts): () => void {
  const socket: LiveSocket = io({
    transports: ['websocket', 'polling'],
    tryAllTransports: true,
    reconnectionDelay: 500,
    reconnectionDelayMax: reconnectMaxMs,
    randomizationFactor: 0.5,
    withCredentials: true,
  })
  let greeted = false
  for (const [name, handle] of Object.entries(handlers))
    socket.on(name as keyof ServerToClient, (event: unknown) =>
      (handle as (cache: QueryClient, event: unknown) => void)(cache, event),
    )
  socket.on('inbox.changed', ({ what, id }) => {
    for (const part of inbox) part[what]?.(cache, id)
  })
  socket.on('hello', ({ serverTime, build: greeting }) => {
    setBuild(greeting)
    clockOffsetMs = Date.parse(serverTime) - Date.now()
    isClockMeasured = true
    for (const { kind, id } of views.values()) sendView(socket, kind, id, true)
    // Rooms first, then fetch: nothing that happens in between is missed.
    if (greeted) refetchLive(cache)
    greeted = true
    for (const greet of onGreeting) greet(socket)
    setState('live')
  })
  socket.on('resync', ({ jitterMs }) => {
    setTimeout(() => {
      refetchLive(cache)
      for (const greet of onGreeting) greet(socket)
    }, Math.random() * jitterMs) // jitter, so that all clients do not ask at once
  })
  socket.on('kick', () => {
    socket.disconnect()
    void cache.invalidateQueries({ queryKey: authStatusKey })
  })
  socket.on('disconnect', (reason) => {
    setState('offline')
    // The server ended this connection on purpose; ask who we are rather than knock again.
    if (reason === 'io server disconnect') void cache.invalidateQueries({ queryKey: authStatusKey })
  })
  socket.on('connect_error', (error) => {
    setState('offline')
    if (error.message === 'unauthorized') void cache.invalidateQueries({ queryKey: authStatusKey })
    // A handshake refused by the server is not retried by the library.
    else if (!socket.active) setTimeout(() => socket.connect(), reconnectMaxMs * (0.5 + Math.random() / 2)) // jitter
  })
  const stopWatching = watchWake(socket)
  live = { socket, views }
  return () => {
    stopWatching()
    socket.disconnect()
    live = undefined
    setState('connecting')
  }
}
