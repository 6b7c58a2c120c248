import { createBullBoard } from '@bull-board/api'
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter'
import { FastifyAdapter } from '@bull-board/fastify'
import type { FastifyPluginAsync } from 'fastify'
import { badRequest } from '#server/errors.ts'
import type { Context } from '#server/platform/context.ts'
import { requireRole } from '#server/platform/guards.ts'
import { findUnstorable } from '#server/platform/storable.ts'

const boardPath = '/admin/queues/board'

function decodes(text: string): boolean {
  try {
    // Its answer is used: the bundler takes a call whose answer is not for one without effect, and leaves it out.
    return decodeURIComponent(text).length >= 0
  } catch {
    return false
  }
}

/** Whether the board can read a query: it decodes some of it once more, and takes NUL for a mark of its own. */
const isReadable = (query: object) =>
  findUnstorable(query) === undefined && Object.values(query).map(String).every(decodes)

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
  app.addHook('preValidation', async ({ query }) => {
    if (!isReadable(query as object)) throw badRequest('The board does not recognize this address')
  })
  await app.register(serverAdapter.registerPlugin(), { prefix: boardPath })
}
