import { createBullBoard } from '@bull-board/api'
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter'
import { FastifyAdapter } from '@bull-board/fastify'
import type { FastifyPluginAsync } from 'fastify'
import type { Context } from '#server/platform/context.ts'
import { requireRole } from '#server/platform/guards.ts'

const boardPath = '/admin/queues/board'

/** bull-board, to look only: acts go through our own screen, where they are checked and recorded. */
export const opsBoard: FastifyPluginAsync<{ ctx: Context }> = async (app, { ctx }) => {
  const serverAdapter = new FastifyAdapter()
  serverAdapter.setBasePath(boardPath)
  const queues = Object.values(ctx.queues).map((queue) => new BullMQAdapter(queue, { readOnlyMode: true }))
  createBullBoard({ queues, serverAdapter, options: { uiConfig: { boardTitle: 'Lanewire queues' } } })
  // Left to the server's: the board's own makes a 500 of every refusal, with the error's words in it.
  serverAdapter.setErrorHandler((error) => {
    throw error
  })
  app.addHook('onRequest', requireRole('ops', 'admin'))
  await app.register(serverAdapter.registerPlugin(), { prefix: boardPath })
}
