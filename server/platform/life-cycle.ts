import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'

type Close = () => Promise<void> | void

/** What a process has started, and how it ends. */
export interface LifeCycle {
  /** Whether the end has begun: nothing new is taken on. */
  readonly ending: boolean
  /** Ended in the reverse order of starting. `what` is what the log says a late end waited for. */
  started(what: string, close: Close): void
  /** Said twice, it is done once. Ends the process where the grace is not enough. */
  stop(why: string): Promise<void>
}

export function createLifeCycle(log: Logger, graceMs: number): LifeCycle {
  const closers: [what: string, close: Close][] = []
  let stopped: Promise<void> | undefined

  async function end(why: string): Promise<void> {
    log.info({ why }, 'stopping')
    let waitingFor = ''
    const timer = setTimeout(() => {
      log.fatal({ graceMs, waitingFor }, 'not stopped in time: ends with work under way')
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
 * Lets a server that closes end with its last request. Node waits for two kinds of connection that nothing more will
 * come of: one on which nothing was ever asked, as browsers open ahead of need, counts as busy; and one whose answer had
 * begun before the closing stays open for the next request once the answer is whole.
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
