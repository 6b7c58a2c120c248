import { networkSettings } from '#server/features/admin/network.service.ts'
import { listNodes } from '#server/features/ops/ops-heartbeat.ts'
import type { Context } from '#server/platform/process/context.ts'
import { listOnline } from '#server/realtime/presence.ts'
import { viewersOf } from '#server/realtime/viewers.ts'
import { bidSometimes, decideAuctions, fillLane, moveDeals } from './demo-lane.service.ts'
import { postSometimes, removeOld, sellSometimes } from './demo-posting.service.ts'
import { type Act, drawFor, type Stage } from './demo-stage.ts'
import { answerComments, commentSometimes, writeMessages } from './demo-talk.service.ts'
import { listCast, listWatchers, type Watcher } from './demo.repository.ts'

const castMin = 10

const parts: readonly ((stage: Stage) => Promise<void>)[] = [
  decideAuctions,
  bidSometimes,
  fillLane,
  postSometimes,
  writeMessages,
  answerComments,
  commentSometimes,
  moveDeals,
  sellSometimes,
  removeOld,
]

/** Plays a turn of the demo dealers. The seed, the turn and the state of the network determine what they do. */
export async function direct(
  ctx: Context,
  scene: { turn: number; now: Date; watching: readonly Watcher[]; viewersOf: Stage['viewersOf'] },
): Promise<Act[]> {
  const cast = await listCast(ctx.db)
  if (cast.length < castMin) return []
  const { turn, ...rest } = scene
  const byId = new Map(cast.map((member) => [member.id, member]))
  const stage = { ...rest, ctx, cast, byId, random: drawFor(ctx.config.demoDirectorSeed, turn), acts: [] }
  for (const play of parts)
    await play(stage).catch((error: unknown) =>
      ctx.log.warn({ err: error, part: play.name }, 'a demo dealer could not act'),
    )
  return stage.acts
}

/** The demo pauses while nobody is watching. */
const isWatched = async (ctx: Context): Promise<boolean> =>
  (await listNodes(ctx)).some(({ silent, sockets }) => !silent && sockets > 0)

export async function playTurn(ctx: Context, turnMs: number): Promise<Act[]> {
  if (!ctx.config.demoDirector || !(await isWatched(ctx)) || (await networkSettings(ctx)).demoPaused === true) return []
  const now = await ctx.sharedNow()
  const watching = await listWatchers(ctx.db, await listOnline(ctx))
  return direct(ctx, {
    turn: Math.floor(now.getTime() / turnMs),
    now,
    watching,
    viewersOf: (postId) => viewersOf(ctx, postId),
  })
}
