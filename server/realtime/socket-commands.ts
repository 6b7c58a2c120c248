import type { Static, TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import { socketPayloadMaxBytes } from '#shared/limits.ts'
import type { Ack } from '#shared/events/control.ts'
import { AppError } from '#server/errors.ts'
import type { Context } from '#server/platform/process/context.ts'
import type { Limit } from '#server/platform/limits.ts'
import { findUnstorable } from '#server/platform/storable-text.ts'
import type { LiveSocket } from './live-server.ts'

/** A socket is disconnected after this many malformed events. Our own client never sends any. */
const abuseLimit = 10

/** Maximum total weight of a socket's events per window. A known event weighs 1, an unknown event more. */
const floodMax = 500
const floodWindowMs = 10_000
const unknownWeight = floodMax / abuseLimit

const validators = new WeakMap<TSchema, Validator>()

/** Caches compiled schemas, because compiling them for each socket would dominate the time and memory of a handshake. */
function validatorOf(schema: TSchema): Validator {
  const known = validators.get(schema)
  if (known !== undefined) return known
  const made = Compile(schema)
  validators.set(schema, made)
  return made
}

/** Disconnects a socket that sends too many or unknown events. Checks each event before its handler runs. */
export function refuseFloods(socket: LiveSocket): void {
  let windowEnds = 0
  let weight = 0
  socket.use(([name], next) => {
    const now = Date.now()
    if (now > windowEnds) {
      windowEnds = now + floodWindowMs
      weight = 0
    }
    weight += socket.listenerCount(name) > 0 ? 1 : unknownWeight
    if (weight > floodMax) socket.disconnect(true)
    else next()
  })
}

/** Responds without the Redis rate limiter, so that a Redis outage does not look like a dead connection. */
export function answerPings(socket: LiveSocket): void {
  socket.on('ping', (ack: unknown) => {
    if (typeof ack === 'function') (ack as (answer: Ack) => void)({ ok: true, data: null })
  })
}

/** Handles an event from clients. Validates payloads and limits the rate per dealer. Repeated malformed payloads disconnect the socket. */
export function onCommand<T extends TSchema, Answer>(
  ctx: Context,
  socket: LiveSocket,
  name: string,
  schema: T,
  limit: Limit,
  handle: (payload: Static<T>) => Promise<Answer>,
): void {
  const validator = validatorOf(schema)
  const isAcceptable = (payload: unknown) =>
    validator.Check(payload) &&
    JSON.stringify(payload).length <= socketPayloadMaxBytes &&
    findUnstorable(payload) === undefined
  let abuses = 0
  const run = async (payload: unknown): Promise<Ack<Answer>> => {
    try {
      if (!isAcceptable(payload)) {
        abuses += 1
        if (abuses >= abuseLimit) socket.disconnect(true)
        return { ok: false, error: { code: 'bad_request', message: 'This event is not in the expected format' } }
      }
      await ctx.limiter.consume(limit, socket.data.actor.dealerId)
      return { ok: true, data: await handle(payload as Static<T>) }
    } catch (error) {
      if (error instanceof AppError) return { ok: false, error: { code: error.code, message: error.message } }
      ctx.log.error({ err: error, event: name }, 'an inbound event failed')
      return { ok: false, error: { code: 'internal', message: 'Something went wrong on our side' } }
    }
  }
  // Handle events of this name in order. Otherwise, a client that leaves and reopens a post could end up outside its room.
  let turn: Promise<unknown> = Promise.resolve()
  const listener = (payload: unknown, ack: unknown) => {
    turn = turn
      .then(() => run(payload))
      .then((answer) => {
        if (typeof ack === 'function') (ack as (answer: Ack<Answer>) => void)(answer)
      })
  }
  socket.on(name as 'view', listener)
}
