import type { Context } from './context.ts'
import { isOverdue, limitLockWait, type Tx } from './db.ts'
import type { Emit } from './transact.ts'

/** What somebody holds for longer than this is not waited for: the next sweep comes soon. */
const lockWaitMs = 100

/**
 * Does what is due about each of these in a transaction of its own: where it fails the next sweep tries again, and the others
 * do not wait for it. @param what could not be done, for the log
 */
export async function sweepEach(
  ctx: Pick<Context, 'log' | 'transact'>,
  ids: readonly string[],
  what: string,
  work: (tx: Tx, emit: Emit, id: string) => Promise<unknown>,
): Promise<void> {
  for (const id of ids)
    await ctx
      .transact(async (tx, emit) => {
        await limitLockWait(tx, lockWaitMs)
        await work(tx, emit, id)
      })
      .catch((error: unknown) => {
        if (!isOverdue(error)) ctx.log.warn({ err: error, id }, what)
      })
}
