import type { Context } from '../process/context.ts'
import { isOverdue, limitLockWait, type Tx } from './db.ts'
import type { Emit } from './transact.ts'

/** Rows that stay locked for longer are skipped until the next sweep. */
const lockWaitMs = 100

/** Runs `work` for each id in its own transaction. A later sweep retries failures. @param what log message for failures */
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
