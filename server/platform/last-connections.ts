import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

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
