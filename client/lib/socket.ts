import { notifyManager, type QueryClient } from '@tanstack/react-query'
import { io } from 'socket.io-client'
import type { FeatureEvents, BatchedEvent, ServerToClient } from '#shared/events/index.ts'
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
/**
 * A jump of the clock by more than this means that the machine slept, so that its transport may be dead without knowing, or that its clock
 * was set: what is known of the server's clock is measured anew with the connection.
 */
const clockJumpMs = 5_000
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
    const now = Date.now()
    if (Math.abs(now - last - clockCheckMs) > clockJumpMs) reopen(socket)
    last = now
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
const helloMs = 5_000

/** What comes down beside the features' events. */
type OwnEvents = Omit<ServerToClient, keyof FeatureEvents>

/** Opens this tab's one connection. */
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
  /** At every `hello`: streams with numbers of their own catch up here. */
  onConnected: ((socket: LiveSocket) => void)[]
  /** Events do not arrive any more, or not all of them. */
  onOffline: (() => void)[]
}

/** One timer at a time for each thing that is done after a random while, so that not all clients do it at once. */
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

/** Takes what is news of whether events arrive: all of them do on a line that is not silent, to a node that hears the others. */
function createArrival(onOffline: LiveParts['onOffline']) {
  const line = { hearsAll: false, isSilent: false }
  return (news: Partial<typeof line>) => {
    Object.assign(line, news)
    const live = line.hearsAll && !line.isSilent
    const wasOffline = connectionState() === 'offline'
    setState(live ? 'live' : 'offline')
    if (!live && !wasOffline) for (const listener of onOffline) listener()
  }
}

/** Turns the events of this tab's one socket into cache patches. Answers how to close it. */
export function openLive({ socket, cache, handlers, inbox, onConnected, onOffline }: LiveParts): () => void {
  let connectedOnce = false
  let attempted = false
  let closed = false
  const waits = createWaits()
  const receiveState = createArrival(onOffline)
  /** Whoever has another session by now (a new password, a confirmed address) goes on with that one. */
  const comeBack = async () => {
    await askWhoIsThere(cache)
    if (!closed && cache.getQueryData<AuthStatus>(authStatusKey)?.authenticated === true) socket.connect()
  }
  const askAgain = () => {
    void refetchLive(cache)
    for (const listener of onConnected) listener(socket)
  }
  const receive = ([name, event]: BatchedEvent) =>
    (handlers[name] as ((cache: QueryClient, event: unknown) => void) | undefined)?.(cache, event)
  const own: OwnEvents = {
    // Drawn once, however much it is.
    batch: (said) => notifyManager.batch(() => said.forEach(receive)),
    'inbox.changed': (event) => receiveInbox(cache, inbox, event),
    hello({ serverTime, build, dealerId, dealerRev, degraded }) {
      setBuild(build)
      setServerTime(serverTime)
      joinViews()
      // Rooms first, then fetch: nothing that happens in between is missed. A first try that failed is a gap, too. What the
      // page fetched before its rooms were joined is fetched again only if anything of the dealer's own changed meanwhile.
      const me = cache.getQueryData<CurrentUser>(meKey)
      const isBehind = me?.rev !== dealerRev || me.id !== dealerId
      if (connectedOnce || attempted || isBehind) void refetchLive(cache)
      connectedOnce = true
      for (const listener of onConnected) listener(socket)
      receiveState({ hearsAll: !degraded })
    },
    heartbeat: ({ degraded }) => receiveState({ hearsAll: !degraded }),
    drain: ({ inMs, jitterMs }) => waits.begin('drain', inMs + Math.random() * jitterMs, () => reopen(socket)),
    // What is about to be asked brings that, too: after a fault each of the other nodes may have something to make good.
    resync: ({ jitterMs }) => waits.begin('resync', Math.random() * jitterMs, askAgain),
    kick() {
      socket.disconnect()
      void comeBack()
    },
  }
  for (const name of Object.keys(own) as (keyof OwnEvents)[]) socket.on(name, own[name] as (event: unknown) => void)
  for (const name of Object.keys(handlers) as BatchedEvent[0][])
    socket.on(name, (event: unknown) => receive([name, event] as BatchedEvent))
  socket.on('disconnect', (reason) => {
    // The node that was to be left is left.
    waits.drop('drain')
    receiveState({ hearsAll: false })
    // The server ended this connection on purpose; ask who we are rather than try again.
    if (reason === 'io server disconnect') void askWhoIsThere(cache)
  })
  socket.on('connect_error', (error) => {
    // One refusal while the page loads is no news yet.
    const first = !connectedOnce && !attempted
    attempted = true
    if (!first) receiveState({ hearsAll: false })
    if (error.message === 'unauthorized') void askWhoIsThere(cache)
    // A handshake refused by the server is not retried by the library.
    else if (!socket.active)
      waits.begin('retry', (first ? refusedRetryMs : reconnectMaxMs) * (0.5 + Math.random() / 2), () =>
        socket.connect(),
      )
  })
  const stopWaking = watchWake(socket)
  const stopWatching = watchLine(socket, {
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
