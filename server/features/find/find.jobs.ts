import type { Context } from '#server/platform/process/context.ts'
import type { Schedule } from '#server/platform/jobs/jobs.ts'
import { refreshFind, refreshFindSellers } from './refresh-find.service.ts'
import { findReached, listPostsAfter, removeTombstones, updateReached } from './find.repository.ts'

const hourMs = 3_600_000
const postsPerRun = 5_000
const postsPerStep = 200
const tombstoneDays = 7
const tombstonesPerRun = 10_000

/** Repairs and logs Find rows that differ from their source. Each difference means that some code did not refresh Find. */
export async function verifyFind(ctx: Context): Promise<number> {
  let repaired = await ctx.transact((tx) => refreshFindSellers(tx))
  let reached = await findReached(ctx.db)
  for (let seen = 0; seen < postsPerRun; seen += postsPerStep) {
    const posts = await listPostsAfter(ctx.db, reached, postsPerStep, true)
    reached = posts.length < postsPerStep ? undefined : posts.at(-1)
    repaired += await ctx.transact(async (tx) => {
      await updateReached(tx, reached)
      return refreshFind(tx, posts)
    })
    if (reached === undefined) break
  }
  if (repaired > 0) ctx.log.warn({ repaired }, 'Find had rows that differed from their posts and sellers')
  await ctx.transact((tx) => removeTombstones(tx, tombstoneDays, tombstonesPerRun))
  return repaired
}

export const findSchedules: Schedule[] = [
  { name: 'find.verify', everyMs: hourMs, run: async (ctx) => void (await verifyFind(ctx)) },
]
