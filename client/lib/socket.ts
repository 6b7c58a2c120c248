import { notifyManager, type QueryClient } from '@tanstack/react-query'
import { io } from 'socket.io-client'
import type { FeatureEvents, Said } from '#shared/events/index.ts'
import type { AuthStatus } from '#shared/schemas/auth.ts'
import type { CurrentUser } from '#shared/schemas/dealers.ts'
import { connectionState, type LiveSocket, setBuild, setServerTime, setSocket, setState } from './connection.ts'
import { watchLine } from './line-watch.ts'
import { receiveInbox, type InboxHandlers, type LiveHandlers, refetchLive } from './live.ts'
import { askWhoIsThere } from './query-client.ts'
import { authStatusKey, meKey } from './query-keys.ts'
import { joinViews } from './views.ts'

const reconnectMaxMs = 5_000
/** A busy server lets newcomers in a moment later. */
const refusedRetryMs = 2_000
/** A jump of the clock by more than this means the machine slept: its transport may be dead without knowing. */
const sleepGapMs = 5_000
const clockCheckMs = 2_000
const hiddenLeaveMs = 5 * 60_000

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

/** Where a connection was lost before the first word nobody says so: without one for so long another is made. */
const greetingMs = 5_000

interface LiveParts {
  cache: QueryClient
  handlers: LiveHandlers<FeatureEvents>
  inbox: InboxHandlers[]
  /** Every greeting after the first: streams with numbers of their own catch up here. */
  onConnected: ((socket: LiveSocket) => void)[]
  /** Events do not arrive any more, or not all of them. */
  onOffline: (() => void)[]
}

/** Takes what is news of whether events arrive: all of them do on a line that is greeted by a node which hears the others, and not silent. */
function createArrival(onOffline: LiveParts['onOffline']) {
  const line = { isGreeted: false, isSilent: false }
  return (news: Partial<typeof line>) => {
    Object.assign(line, news)
    const live = line.isGreeted && !line.isSilent
    const wasOffline = connectionState() === 'offline'
    setState(live ? 'live' : 'offline')
    if (!live && !wasOffline) for (const listener of onOffline) listener()
  }
}

/** Opens the one socket of this tab and turns its events into cache patches. Answers how to close it. */
export function openLive({ cache, handlers, inbox, onConnected, onOffline }: LiveParts): () => void {
  const socket: LiveSocket = io({
    transports: ['websocket', 'polling'],
    tryAllTransports: true,
    timeout: greetingMs,
    reconnectionDelay: 500,
    reconnectionDelayMax: reconnectMaxMs,
    randomizationFactor: 0.5,
    withCredentials: true,
  })
  let connectedOnce = false
  let attempted = false
  let closed = false
  let resync: ReturnType<typeof setTimeout> | undefined
  const receiveState = createArrival(onOffline)
  /** Whoever has another session by now (a new password, a confirmed address) goes on with that one. */
  const comeBack = async () => {
    await askWhoIsThere(cache)
    if (!closed && cache.getQueryData<AuthStatus>(authStatusKey)?.authenticated === true) socket.connect()
  }
  const receive = ([name, event]: Said) =>
    (handlers[name] as ((cache: QueryClient, event: unknown) => void) | undefined)?.(cache, event)
  for (const name of Object.keys(handlers) as Said[0][])
    socket.on(name, (event: unknown) => receive([name, event] as Said))
  // Drawn once, however much it is.
  socket.on('batch', (said) => notifyManager.batch(() => said.forEach(receive)))
  socket.on('inbox.changed', (event) => receiveInbox(cache, inbox, event))
  socket.on('hello', ({ serverTime, build, dealerRev, degraded }) => {
    setBuild(build)
    setServerTime(serverTime)
    joinViews()
    // Rooms first, then fetch: nothing that happens in between is missed. A first try that failed is a gap, too. What the
    // page fetched before its rooms were joined is fetched again only if anything of the dealer's own changed meanwhile.
    const isBehind = cache.getQueryData<CurrentUser>(meKey)?.rev !== dealerRev
    if (connectedOnce || attempted || isBehind) void refetchLive(cache)
    connectedOnce = true
    for (const listener of onConnected) listener(socket)
    receiveState({ isGreeted: !degraded })
  })
  socket.on('heartbeat', ({ degraded }) => receiveState({ isGreeted: !degraded }))
  socket.on('resync', ({ jitterMs }) => {
    // What is about to be asked brings that, too: after a fault each of the other nodes may have something to make good.
    resync ??= setTimeout(() => {
      resync = undefined
      void refetchLive(cache)
      for (const listener of onConnected) listener(socket)
    }, Math.random() * jitterMs) // jitter, so that all clients do not ask at once
  })
  socket.on('kick', () => {
    socket.disconnect()
    void comeBack()
  })
  socket.on('disconnect', (reason) => {
    receiveState({ isGreeted: false })
    // The server ended this connection on purpose; ask who we are rather than try again.
    if (reason === 'io server disconnect') void askWhoIsThere(cache)
  })
  socket.on('connect_error', (error) => {
    // One refusal while the page loads is no news yet.
    const first = !connectedOnce && !attempted
    attempted = true
    if (!first) receiveState({ isGreeted: false })
    if (error.message === 'unauthorized') void askWhoIsThere(cache)
    // A handshake refused by the server is not retried by the library.
    else if (!socket.active)
      setTimeout(() => socket.connect(), (first ? refusedRetryMs : reconnectMaxMs) * (0.5 + Math.random() / 2)) // jitter
  })
  const stopWaking = watchWake(socket)
  const stopWatching = watchLine(socket, {
    onSilent: (isSilent) => receiveState({ isSilent }),
    onDead: () => reopen(socket),
  })
  setSocket(socket)
  return () => {
    closed = true
    clearTimeout(resync)
    stopWaking()
    stopWatching()
    socket.disconnect()
    setSocket(undefined)
    setState('connecting')
  }
}
