import { notifyManager, type QueryClient } from '@tanstack/react-query'
import { io } from 'socket.io-client'
import type { FeatureEvents, BatchedEvent, ServerToClient } from '#shared/events/index.ts'
import type { AuthStatus } from '#shared/schemas/auth.ts'
import type { CurrentUser } from '#shared/schemas/dealers.ts'
import { connectionState, type LiveSocket, setBuild, setServerTime, setSocket, setState } from './connection.ts'
import { detectSilence } from './silence-detector.ts'
import { receiveInbox, type InboxHandlers, type LiveHandlers, refetchLive } from './live-queries.ts'
import { everyVisible } from '../screen/visible-interval.ts'
import { recheckAuthStatus } from '../query/query-client.ts'
import { authStatusKey, meKey } from '../query/query-keys.ts'
import { joinViews } from './room-views.ts'

const reconnectMaxMs = 5_000
const refusedRetryMs = 2_000
/** If the clock jumps by more than this, the machine slept or its clock was set. The client then reconnects. */
const clockJumpMs = 5_000
const clockCheckMs = 2_000
const hiddenLeaveMs = 5 * 60_000

/** Reconnects. Closes an open connection through Engine.IO, so that Socket.IO's own reconnection logic runs. */
function reopen(socket: LiveSocket): void {
  if (socket.connected) socket.io.engine.close()
  else socket.connect()
}

/** Reconnects on `online`, after sleep, and after a long time in the background, because a dead transport may still look open. */
function watchWake(socket: LiveSocket): () => void {
  let last = Date.now()
  let hiddenAt: number | undefined
  const stop = everyVisible(clockCheckMs, () => {
    const now = Date.now()
    if (Math.abs(now - last - clockCheckMs) > clockJumpMs) reopen(socket)
    last = now
  })
  const onOnline = () => reopen(socket)
  const onVisibility = () => {
    if (!document.hidden && hiddenAt !== undefined && Date.now() - hiddenAt > hiddenLeaveMs) reopen(socket)
    hiddenAt = document.hidden ? Date.now() : undefined
    // The clock was not checked while the tab was hidden, so do not compare with that time.
    last = Date.now()
  }
  window.addEventListener('online', onOnline)
  document.addEventListener('visibilitychange', onVisibility)
  return () => {
    stop()
    window.removeEventListener('online', onOnline)
    document.removeEventListener('visibilitychange', onVisibility)
  }
}

const helloMs = 5_000

type OwnEvents = Omit<ServerToClient, keyof FeatureEvents>

export function connectSocket(): LiveSocket {
  return io({
    transports: ['websocket', 'polling'],
    tryAllTransports: true,
    timeout: helloMs,
    reconnectionDelay: 500,
    reconnectionDelayMax: reconnectMaxMs,
    randomizationFactor: 0.5,
    withCredentials: true,
  })
}

interface LiveParts {
  socket: LiveSocket
  cache: QueryClient
  handlers: LiveHandlers<FeatureEvents>
  inbox: readonly InboxHandlers[]
  /** Called at every `hello`. Features then find missed events by their own sequence numbers. */
  onConnected: ((socket: LiveSocket) => void)[]
  /** Called when events stop arriving, or when some may be missing. */
  onOffline: (() => void)[]
}

/** Timers for actions after a random delay, which keeps clients from acting all at once. There is one timer per action at most. */
function createWaits() {
  const timers: Partial<Record<'resync' | 'drain' | 'retry', ReturnType<typeof setTimeout>>> = {}
  const drop = (what: keyof typeof timers) => {
    clearTimeout(timers[what])
    delete timers[what]
  }
  return {
    begin(what: keyof typeof timers, ms: number, run: () => void) {
      timers[what] ??= setTimeout(() => {
        delete timers[what]
        run()
      }, ms)
    },
    drop,
    dropAll: () => (['resync', 'drain', 'retry'] as const).forEach(drop),
  }
}

/** The state is `live` only while the socket receives the events of all nodes and is not silent. */
function trackConnection(onOffline: LiveParts['onOffline']) {
  const health = { receivesAll: false, isSilent: false }
  return (change: Partial<typeof health>) => {
    Object.assign(health, change)
    const live = health.receivesAll && !health.isSilent
    const wasOffline = connectionState() === 'offline'
    setState(live ? 'live' : 'offline')
    if (!live && !wasOffline) for (const listener of onOffline) listener()
  }
}

/** Opens the socket and applies its events to the cache. Returns a function that closes the socket. */
export function openLive({ socket, cache, handlers, inbox, onConnected, onOffline }: LiveParts): () => void {
  let connectedOnce = false
  let attempted = false
  let closed = false
  const waits = createWaits()
  const receiveState = trackConnection(onOffline)
  /** After a `kick`, reconnects if there is a new session, for example because the dealer changed the password in this browser. */
  const reconnectIfSignedIn = async () => {
    await recheckAuthStatus(cache)
    if (!closed && cache.getQueryData<AuthStatus>(authStatusKey)?.authenticated === true) socket.connect()
  }
  const refetchAll = () => {
    void refetchLive(cache)
    for (const listener of onConnected) listener(socket)
  }
  const receive = ([name, event]: BatchedEvent) =>
    (handlers[name] as ((cache: QueryClient, event: unknown) => void) | undefined)?.(cache, event)
  const own: OwnEvents = {
    batch: (batched) => notifyManager.batch(() => batched.forEach(receive)),
    'inbox.changed': (event) => receiveInbox(cache, inbox, event),
    hello({ serverTime, build, dealerId, dealerRev, degraded }) {
      setBuild(build)
      setServerTime(serverTime)
      joinViews()
      // Join rooms before fetching, so that no event is missed. If the first attempt connected, refetch only if `me` is outdated.
      const me = cache.getQueryData<CurrentUser>(meKey)
      const isBehind = me?.rev !== dealerRev || me.id !== dealerId
      if (connectedOnce || attempted || isBehind) void refetchLive(cache)
      connectedOnce = true
      for (const listener of onConnected) listener(socket)
      receiveState({ receivesAll: !degraded })
    },
    heartbeat: ({ degraded }) => receiveState({ receivesAll: !degraded }),
    drain: ({ inMs, jitterMs }) => waits.begin('drain', inMs + Math.random() * jitterMs, () => reopen(socket)),
    // A resync that is already waiting will fetch the same data, so further requests need no timer.
    resync: ({ jitterMs }) => waits.begin('resync', Math.random() * jitterMs, refetchAll),
    kick() {
      socket.disconnect()
      void reconnectIfSignedIn()
    },
  }
  for (const name of Object.keys(own) as (keyof OwnEvents)[]) socket.on(name, own[name] as (event: unknown) => void)
  for (const name of Object.keys(handlers) as BatchedEvent[0][])
    socket.on(name, (event: unknown) => receive([name, event] as BatchedEvent))
  socket.on('disconnect', (reason) => {
    // The client is no longer connected to the process that is shutting down, so the planned reconnect is not needed.
    waits.drop('drain')
    receiveState({ receivesAll: false })
    // The server closed the connection on purpose, so check the session instead of reconnecting.
    if (reason === 'io server disconnect') void recheckAuthStatus(cache)
  })
  socket.on('connect_error', (error) => {
    const first = !connectedOnce && !attempted
    attempted = true
    if (!first) receiveState({ receivesAll: false })
    if (error.message === 'unauthorized') void recheckAuthStatus(cache)
    else if (!socket.active)
      waits.begin('retry', (first ? refusedRetryMs : reconnectMaxMs) * (0.5 + Math.random() / 2), () =>
        socket.connect(),
      )
  })
  const stopWaking = watchWake(socket)
  const stopWatching = detectSilence(socket, {
    onSilent: (isSilent) => receiveState({ isSilent }),
    onDead: () => reopen(socket),
  })
  setSocket(socket)
  return () => {
    closed = true
    waits.dropAll()
    stopWaking()
    stopWatching()
    socket.disconnect()
    setSocket(undefined)
    setState('connecting')
  }
}
