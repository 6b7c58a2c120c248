import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'

type Close = () => Promise<void> | void

export interface LifeCycle {
  /** True once shutdown has begun. Accept no new work then. */
  readonly ending: boolean
  /** Registers a closer. Closers run in reverse order. If a closer takes too long, the log names it by `what`. */
  started(what: string, close: Close): void
  /** Runs the closers. Idempotent. Exits the process if they take longer than the grace period. */
  stop(why: string): Promise<void>
}

export function createLifeCycle(log: Logger, graceMs: number): LifeCycle {
  const closers: [what: string, close: Close][] = []
  let stopped: Promise<void> | undefined

  async function end(why: string): Promise<void> {
    log.info({ why }, 'stopping')
    let waitingFor = ''
    const timer = setTimeout(() => {
      log.fatal({ graceMs, waitingFor }, 'did not stop in time: exiting with work in progress')
      process.exit(1)
    }, graceMs)
    timer.unref()
    for (const [what, close] of closers.toReversed()) {
      waitingFor = what
      await close()
    }
    clearTimeout(timer)
  }

  return {
    get ending() {
      return stopped !== undefined
    },
    started: (what, close) => void closers.push([what, close]),
    stop: (why) => (stopped ??= end(why)),
  }
}

/**
 * Closes unused and idle connections during shutdown, so that the server closes once its last request has ended. Node alone would wait for
 * connections that browsers opened in advance, and for keep-alive connections whose response began before shutdown.
 */
export function endWithLastRequest(app: FastifyInstance): void {
  const server: Server = app.server
  const open = new Set<Socket>()
  let closing = false
  server.on('connection', (socket) => {
    if (closing) return void socket.destroy()
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  server.on('request', (_request, response) => {
    response.once('close', () => {
      if (closing) server.closeIdleConnections()
    })
  })
  app.addHook('preClose', async () => {
    closing = true
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy()
  })
}
