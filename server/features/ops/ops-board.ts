import { createBullBoard } from '@bull-board/api'
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter'
import { FastifyAdapter } from '@bull-board/fastify'
import type { FastifyPluginAsync } from 'fastify'
import { AppError } from '#server/errors.ts'
import type { Context } from '#server/platform/context.ts'
import { requireRole } from '#server/platform/guards.ts'

const boardPath = '/admin/queues/board'

/** bull-board, to look only: acts go through our own screen, where they are checked and recorded. */
export const opsBoard: FastifyPluginAsync<{ ctx: Context }> = async (app, { ctx }) => {
  const serverAdapter = new FastifyAdapter()
  serverAdapter.setBasePath(boardPath)
  const queues = Object.values(ctx.queues).map((queue) => new BullMQAdapter(queue, { readOnlyMode: true }))
  createBullBoard({ queues, serverAdapter, options: { uiConfig: { boardTitle: 'Lanewire queues' } } })
  const guard = requireRole('ops', 'admin')
  // Answered here: the board's own error handler would make a 500 of a refusal.
  app.addHook('onRequest', async (request, reply) =>
    guard(request).catch((error: unknown) => {
      if (!(error instanceof AppError)) throw error
      const { status, code, message } = error
      return reply.code(status).send({ error: { code, message, requestId: request.id } })
    }),
  )
  await app.register(serverAdapter.registerPlugin(), { prefix: boardPath })
}
