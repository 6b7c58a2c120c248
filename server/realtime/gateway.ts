import type { IncomingMessage } from 'node:http'
import fastifyCookie from '@fastify/cookie'
import { View, Sync, type SyncAnswer } from '#shared/events/control.ts'
import { conflict, notFound } from '#server/errors.ts'
import { countedAs, createClientAddress } from '#server/platform/http/client-address.ts'
import type { Context } from '#server/platform/process/context.ts'
import { isOwnOrigin } from '#server/platform/http/csrf.ts'
import { isDatabaseDown, ProcessBusy } from '#server/platform/database/db.ts'
import { RateLimited } from '#server/platform/limits.ts'
import { isRedisDown } from '#server/platform/redis/redis.ts'
import { cookieName, resolveActor, type ActorCache } from '#server/platform/session/session.ts'
import { monitorOf } from './adapter.ts'
import { answerPings, onCommand, refuseFloods } from './socket-commands.ts'
import type { LiveFeature, LiveServer, LiveSocket } from './live-server.ts'
import { dealerRoom, feedRoom, sessionRoom } from './rooms.ts'
import { limitSessionSockets, type SessionSockets } from './session-sockets.ts'

/** Limit per IP address. It is high, because a whole dealership may reconnect at once from one address. */
const handshakeLimit = { name: 'socket-handshake', max: 300, seconds: 60 }
const viewLimit = { name: 'socket-view', max: 120, seconds: 10 }
const syncLimit = { name: 'socket-sync', max: 20, seconds: 10 }
/** Maximum open connections without a session, per IP address. A browser authenticates as soon as it connects. */
const unauthenticatedMax = 100
const viewingMax = 200
const resyncJitterMs = 3_000
const handshakesAtOnce = 32

interface Gateway {
  io: LiveServer
  ctx: Context
  actors: ActorCache
  features: LiveFeature[]
  node: string
  build: string
}

/** Returns a Socket.IO hook that limits handshakes per IP address. Refused clients retry automatically. */
export function limitHandshakes(ctx: Context) {
  const addressOf = createClientAddress(ctx.config)
  return (request: IncomingMessage, answer: (reason: string | null, allowed: boolean) => void): void => {
    ctx.limiter.consume(handshakeLimit, addressOf(request)).then(
      () => answer(null, true),
      (error: unknown) => {
        if (!(error instanceof RateLimited)) ctx.log.error({ err: error }, 'a handshake could not be counted')
        answer('busy', false)
      },
    )
  }
}

type Connection = LiveSocket['conn']

/** Limits unauthenticated connections per IP address, because Socket.IO keeps them for long. Call the result after authentication. */
function limitUnauthenticated({ io, ctx }: Gateway): (conn: Connection) => void {
  const addressOf = createClientAddress(ctx.config)
  const waiting = new Map<string, Set<Connection>>()
  const addresses = new WeakMap<Connection, string>()
  const leave = (conn: Connection) => {
    const address = addresses.get(conn)
    const others = address === undefined ? undefined : waiting.get(address)
    if (address !== undefined && others?.delete(conn) && others.size === 0) waiting.delete(address)
  }
  if (ctx.config.rateLimits)
    io.engine.on('connection', (conn: Connection) => {
      const address = countedAs(addressOf(conn.request))
      const others = waiting.get(address) ?? new Set<Connection>()
      if (others.size >= unauthenticatedMax) return conn.close(true)
      waiting.set(address, others.add(conn))
      addresses.set(conn, address)
      conn.once('close', () => leave(conn))
    })
  return leave
}

/** Limits how many connections are set up at once. Waiting connections take their turns in order of arrival. */
function createTurns(most: number) {
  let free = most
  const waiting: (() => void)[] = []
  const running = new Set<Connection>()
  const release = (conn: Connection) => {
    if (!running.delete(conn)) return
    const next = waiting.shift()
    if (next === undefined) free += 1
    else next()
  }
  return {
    async acquire(conn: Connection): Promise<void> {
      if (free > 0) free -= 1
      else await new Promise<void>((resolve) => waiting.push(resolve))
      running.add(conn)
      conn.once('close', () => release(conn))
      // The connection may have closed while it waited for its turn.
      if (conn.readyState !== 'open') release(conn)
    },
    release,
  }
}

type Turns = ReturnType<typeof createTurns>

function authenticate({ io, ctx, actors }: Gateway, turns: Turns, sessions: SessionSockets): void {
  io.use((socket, next) => {
    const { origin, host, cookie } = socket.handshake.headers
    if (origin !== undefined && !isOwnOrigin(ctx.config, origin, host)) return next(new Error('forbidden'))
    const secret = fastifyCookie.parse(cookie ?? '')[cookieName(ctx.config)]
    if (secret === undefined) return next(new Error('unauthorized'))
    const refuse = (reason: string) => {
      turns.release(socket.conn)
      next(new Error(reason))
    }
    turns
      .acquire(socket.conn)
      .then(() => resolveActor(ctx, actors, secret))
      .then(async (actor) => {
        if (actor === undefined) return refuse('unauthorized')
        if (!actor.admitted) return refuse('approval_required')
        if (!(await sessions.admits(actor.sessionId, socket.conn))) return refuse('too_many')
        socket.data.actor = actor
        socket.data.viewing = new Map()
        next()
      })
      .catch((error: unknown) => {
        const isUnavailable = isDatabaseDown(error) || isRedisDown(error) || error instanceof ProcessBusy
        if (!isUnavailable) ctx.log.error({ err: error }, 'a handshake failed')
        refuse('unavailable')
      })
  })
}

async function setView({ ctx, features }: Gateway, socket: LiveSocket, view: View): Promise<null> {
  if (view.on) await join(ctx, features, socket, view)
  else await leave(socket, view)
  for (const feature of features) feature.viewed?.(ctx, socket.data.actor, view.kind, view.id, view.on)
  return null
}

const keyOf = ({ kind, id }: View) => `${kind}:${id}`

/** Joins the room of an item on the client's screen. @throws 404 if the dealer may not see the item; 409 above `viewingMax` */
async function join(ctx: Context, features: LiveFeature[], socket: LiveSocket, view: View): Promise<void> {
  const { actor, viewing } = socket.data
  const rule = features.map((feature) => feature.views?.[view.kind]).find((found) => found !== undefined)
  const room = view.kind === 'feed' ? feedRoom : await rule?.(ctx, actor, view.id)
  if (room === undefined) throw notFound()
  if (viewing.size >= viewingMax && !viewing.has(keyOf(view)))
    throw conflict(`This tab already follows ${viewingMax} items. Close some first`)
  viewing.set(keyOf(view), room)
  await socket.join(room)
}

/** Checks no permission, because a dealer must be able to leave the room of an item that has been deleted or hidden. */
async function leave(socket: LiveSocket, view: View): Promise<void> {
  const { viewing } = socket.data
  const room = viewing.get(keyOf(view))
  viewing.delete(keyOf(view))
  if (room !== undefined && ![...viewing.values()].includes(room)) await socket.leave(room)
}

async function sync({ ctx, features }: Gateway, socket: LiveSocket, vector: Sync): Promise<SyncAnswer> {
  const answers = await Promise.all(features.map(async (feature) => feature.sync?.(ctx, socket.data.actor, vector)))
  return Object.assign({}, ...answers) as SyncAnswer
}

async function connected(
  gateway: Gateway,
  socket: LiveSocket,
  dealerRev: (id: string) => Promise<number>,
): Promise<void> {
  const { io, ctx, features, node, build } = gateway
  const { actor } = socket.data
  onCommand(ctx, socket, 'view', View, viewLimit, (view) => setView(gateway, socket, view))
  onCommand(ctx, socket, 'sync', Sync, syncLimit, (vector) => sync(gateway, socket, vector))
  answerPings(socket)
  for (const feature of features) feature.commands?.(ctx, socket)
  refuseFloods(socket)
  await socket.join([dealerRoom(actor.dealerId), sessionRoom(actor.sessionId)])
  await Promise.all(features.map(async (feature) => feature.connected?.(ctx, socket)))
  // Send `hello` last. The client fetches data after it, and the rooms are joined by then, so the client cannot miss an event.
  const [now, rev] = await Promise.all([ctx.sharedNow(), dealerRev(actor.dealerId)])
  const { isDegraded: degraded } = monitorOf(io)
  const { dealerId } = actor
  socket.emit('hello', { node, build, serverTime: now.toISOString(), dealerId, dealerRev: rev, degraded })
}

function forwardChannelState(io: LiveServer, sessions: SessionSockets): void {
  const monitor = monitorOf(io)
  monitor.on('degraded', (degraded) => void io.local.emit('heartbeat', { degraded }))
  monitor.on('missed', () => {
    io.local.emit('resync', { jitterMs: resyncJitterMs })
    // The lost events may include the end of a session.
    sessions.check()
  })
}

/** Authenticates sockets, joins their rooms and handles their commands. Returns a function that stops the timers. */
export function startGateway(gateway: Gateway, dealerRev: (id: string) => Promise<number>): () => void {
  const { io, ctx, actors } = gateway
  const turns = createTurns(handshakesAtOnce)
  const sessions = limitSessionSockets(ctx, io)
  const releaseAdmission = limitUnauthenticated(gateway)
  authenticate(gateway, turns, sessions)
  forwardChannelState(io, sessions)
  io.on('connection', (socket) => {
    releaseAdmission(socket.conn)
    connected(gateway, socket, dealerRev)
      .catch((error: unknown) => {
        ctx.log.warn({ err: error }, 'a socket could not join its rooms')
        socket.conn.close()
      })
      .finally(() => turns.release(socket.conn))
  })
  ctx.bus.on('session.ended', ({ dealerId, sessionIds, code }) => {
    actors.evictDealer(dealerId)
    for (const sessionId of sessionIds) {
      io.to(sessionRoom(sessionId)).emit('kick', { code })
      io.in(sessionRoom(sessionId)).disconnectSockets(true)
    }
  })
  return () => sessions.stop()
}
