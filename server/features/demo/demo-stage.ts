import { seededRandom, type Random } from '#server/db/seed/random.ts'
import type { Context } from '#server/platform/process/context.ts'
import type { Actor } from '#server/platform/session/session.ts'
import type { CastMember, Watcher } from './demo.repository.ts'

export interface Act {
  kind: ActKind
  by: string
  about: string
}

/** Daily limits for each kind of action (UTC days), so that a browser tab left open cannot fill the disk. */
const dailyMax = {
  post: 240,
  auction: 360,
  comment: 600,
  answer: 600,
  message: 400,
  bid: 6_000,
  sale: 240,
  deal: 360,
  decision: 240,
}
type ActKind = keyof typeof dailyMax | 'reopening' | 'removal'

export interface Stage {
  ctx: Context
  random: Random
  now: Date
  /** Demo dealers whose accounts nobody is using. */
  cast: readonly CastMember[]
  byId: ReadonlyMap<string, CastMember>
  watching: readonly Watcher[]
  viewersOf: (postId: string) => Promise<number>
  acts: Act[]
}

export const drawFor = (seed: number, turn: number): Random => seededRandom((seed ^ Math.imul(turn, 0x9e37_79b1)) >>> 0)

const keptSeconds = 2 * 24 * 3_600

/** Counts an action. Returns false if it exceeds today's limit. */
export async function mayAct({ ctx, now }: Stage, kind: keyof typeof dailyMax): Promise<boolean> {
  const key = `${ctx.config.redisPrefix}:demo:acts:${now.toISOString().slice(0, 10)}`
  const done = await ctx.redis.commands.hincrby(key, kind, 1)
  if (done === 1) await ctx.redis.commands.expire(key, keptSeconds)
  return done <= dailyMax[kind]
}

export const note = ({ acts }: Stage, kind: ActKind, { email }: Pick<CastMember, 'email'>, about: string): void =>
  void acts.push({ kind, by: email, about })

export const actorOf = ({ id, name }: Pick<CastMember, 'id' | 'name'>): Actor => ({
  dealerId: id,
  role: 'dealer',
  name,
  profileComplete: true,
  admitted: true,
  sessionId: '',
})

export const ageMs = ({ now }: Pick<Stage, 'now'>, at: Date): number => now.getTime() - at.getTime()

/** A dealer is a newcomer for this many milliseconds. Newcomers get messages and bids first. */
export const newcomerUntilMs = 2 * 60_000
