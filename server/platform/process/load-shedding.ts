import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '#server/errors.ts'
import type { Metrics } from './metrics.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** True for messages and bids. An overloaded process refuses these calls last. */
    isUrgent?: boolean
  }
}

type CallKind = 'read' | 'write' | 'urgent'

/** `no_connection`: the request was accepted, but waited too long for a database connection. */
const refusalReasons = ['too_many', 'no_connection'] as const
export type CountRefusal = (request: FastifyRequest, reason: (typeof refusalReasons)[number]) => void

/** While fewer requests than this are running, none is refused, even on a slow machine. */
const alwaysAccepted = 32
/** If the event loop lags by more than this, reads are refused. */
const lateMs = 250
/** A call is refused if its estimated wait exceeds the maximum of its kind. */
const maxWaitMs: Record<CallKind, number> = { read: 400, write: 1_600, urgent: 6_400 }
/** Requests per second. The estimate never falls below this, even if the measured throughput does. */
const minPerSecond = 200
/** A process that refuses even messages and bids for this long reports that it is not ready. */
const closedAfterMs = 5_000
const sampleMs = 500
const logEveryMs = 1_000
const nsPerMs = 1e6

export class Overloaded extends AppError {
  constructor() {
    super(503, 'unavailable', 'Lanewire is very busy right now. Nothing was changed. Try again in a moment.')
  }
}

/**
 * Counts the running requests. The count is the size of a set, so it cannot drift. Node emits no `close` for a pipelined response that has
 * not yet got its socket, so the socket itself is watched, too.
 */
export class Admission {
  readonly #underWay = new Set<ServerResponse>()
  readonly #bySocket = new WeakMap<Socket, Set<ServerResponse>>()
  readonly #now: () => number
  readonly #delayMs: () => number
  #answered = 0
  #perSecond = minPerSecond
  #closedSince: number | undefined

  /** @param delayMs returns the current event loop lag @param now returns monotonic time in milliseconds */
  constructor(delayMs: () => number = () => 0, now: () => number = () => performance.now()) {
    this.#delayMs = delayMs
    this.#now = now
  }

  get underWay(): number {
    return this.#underWay.size
  }

  get isClosed(): boolean {
    return this.#closedSince !== undefined && this.#now() - this.#closedSince >= closedAfterMs
  }

  refuses(kind: CallKind): boolean {
    if (this.underWay < alwaysAccepted) return false
    if (kind === 'read' && this.#delayMs() > lateMs) return true
    return (this.underWay / this.#perSecond) * 1_000 > maxWaitMs[kind]
  }

  /** Counts a request until it ends. Returns false and counts nothing if the connection is already closed. */
  enter(response: ServerResponse, socket: Socket): boolean {
    if (response.closed || socket.destroyed) return false
    const ofSocket = this.#requestsOf(socket)
    ofSocket.add(response)
    this.#underWay.add(response)
    const leave = () => {
      ofSocket.delete(response)
      this.#leave(response)
    }
    response.once('finish', leave).once('close', leave)
    return true
  }

  #requestsOf(socket: Socket): Set<ServerResponse> {
    const known = this.#bySocket.get(socket)
    if (known !== undefined) return known
    const requests = new Set<ServerResponse>()
    this.#bySocket.set(socket, requests)
    socket.once('close', () => {
      for (const response of requests) this.#leave(response)
    })
    return requests
  }

  #leave(response: ServerResponse): void {
    if (this.#underWay.delete(response)) this.#answered += 1
  }

  /** Updates the measured throughput with the requests that ended in the last `ms` milliseconds. */
  sample(ms: number): void {
    this.#perSecond = Math.max(minPerSecond, (this.#perSecond + (this.#answered * 1_000) / ms) / 2)
    this.#answered = 0
    if (this.refuses('urgent')) this.#closedSince ??= this.#now()
    else this.#closedSince = undefined
  }
}

const kindOf = ({ method, routeOptions }: FastifyRequest): CallKind => {
  if (method === 'GET' || method === 'HEAD') return 'read'
  return routeOptions.config.isUrgent === true ? 'urgent' : 'write'
}

export function startAdmission(): { admission: Admission; stop: () => void } {
  const delay = monitorEventLoopDelay({ resolution: 10 })
  delay.enable()
  let delayMs = 0
  const admission = new Admission(() => delayMs)
  const sampling = setInterval(() => {
    delayMs = Number.isNaN(delay.mean) ? 0 : delay.mean / nsPerMs
    delay.reset()
    admission.sample(sampleMs)
  }, sampleMs)
  const stop = () => {
    clearInterval(sampling)
    delay.disable()
  }
  return { admission, stop }
}

/** Returns a function that counts a refused request. Logs the number of refusals at most once a second. */
export function startRefusalCount(app: FastifyInstance, admission: Admission, { refusals }: Metrics): CountRefusal {
  for (const kind of Object.keys(maxWaitMs)) for (const reason of refusalReasons) refusals.inc({ kind, reason }, 0)
  let refused = 0
  const logging = setInterval(() => {
    if (refused > 0) app.log.warn({ refused, underWay: admission.underWay }, 'too many requests: some were refused')
    refused = 0
  }, logEveryMs)
  app.addHook('onClose', async () => clearInterval(logging))
  return (request, reason) => {
    refused += 1
    refusals.inc({ kind: kindOf(request), reason })
  }
}

/** Applies to routes registered in this scope from now on. Never `await` before a request is counted: a burst would get past the limit. */
export function refuseOverload(app: FastifyInstance, admission: Admission): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (admission.refuses(kindOf(request))) return done(new Overloaded())
    // The client has disconnected, so the handler must not run.
    if (!admission.enter(reply.raw, request.raw.socket)) return void reply.hijack()
    done()
  })
}
