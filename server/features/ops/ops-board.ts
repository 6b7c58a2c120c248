import { createBullBoard } from '@bull-board/api'
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter'
import { FastifyAdapter } from '@bull-board/fastify'
import type { FastifyPluginAsync } from 'fastify'
import { badRequest } from '#server/errors.ts'
import type { Context } from '#server/platform/process/context.ts'
import { requireRole } from '#server/platform/http/guards.ts'
import { findUnstorable } from '#server/platform/storable-text.ts'

const boardPath = '/admin/queues/board'

function decodes(text: string): boolean {
  try {
    // Use the result, because otherwise the bundler would remove the call as having no side effects.
    return decodeURIComponent(text).length >= 0
  } catch {
    return false
  }
}

/** True if the board can parse the query. The board decodes some values twice, and uses NUL as a marker. */
const isReadable = (query: object) =>
  findUnstorable(query) === undefined && Object.values(query).map(String).every(decodes)

/** Serves bull-board as read-only. Our own screen has the actions, because it checks and audits them. */
export const opsBoard: FastifyPluginAsync<{ ctx: Context }> = async (app, { ctx }) => {
  const serverAdapter = new FastifyAdapter()
  serverAdapter.setBasePath(boardPath)
  const queues = Object.values(ctx.queues).map((queue) => new BullMQAdapter(queue, { readOnlyMode: true }))
  createBullBoard({ queues, serverAdapter, options: { uiConfig: { boardTitle: 'Lanewire queues' } } })
  // The board's own error handler would send a 500 that contains the error's message.
  serverAdapter.setErrorHandler((error) => {
    throw error
  })
  app.addHook('onRequest', requireRole('ops', 'admin'))
  app.addHook('preValidation', async ({ query }) => {
    if (!isReadable(query as object)) throw badRequest('The board does not recognize this address')
  })
  await app.register(serverAdapter.registerPlugin(), { prefix: boardPath })
}
