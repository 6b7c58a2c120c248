import { seededRandom, type Random } from '#server/db/seed/random.ts'
import type { Context } from '#server/platform/context.ts'
import type { Actor } from '#server/platform/session.ts'
import type { CastMember, Watcher } from './demo.repository.ts'

/** Something that a demo dealer has done. */
export interface Act {
  kind: ActKind
  /** The dealer's address, which is the same in every demo. */
  by: string
  about: string
}

/** Most of each kind that the director does in a day (UTC), however many watch: an open tab must not fill the disk. */
const dailyMost = {
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
type ActKind = keyof typeof dailyMost | 'reopening' | 'removal'

/** What a turn is played with. */
export interface Stage {
  ctx: Context
  random: Random
  now: Date
  /** Demo dealers whom nobody plays. */
  cast: readonly CastMember[]
  byId: ReadonlyMap<string, CastMember>
  /** Dealers who are there, the newest first. */
  watching: readonly Watcher[]
  viewersOf: (postId: string) => Promise<number>
  acts: Act[]
}

/** A turn's own draw: the same seed and turn give the same. */
export const drawFor = (seed: number, turn: number): Random => seededRandom((seed ^ Math.imul(turn, 0x9e37_79b1)) >>> 0)

const keptS = 2 * 24 * 3_600

/** Counts an act of the kind for today. False: enough of it has been done. */
export async function mayAct({ ctx, now }: Stage, kind: keyof typeof dailyMost): Promise<boolean> {
  const key = `${ctx.config.redisPrefix}:demo:acts:${now.toISOString().slice(0, 10)}`
  const done = await ctx.redis.commands.hincrby(key, kind, 1)
  if (done === 1) await ctx.redis.commands.expire(key, keptS)
  return done <= dailyMost[kind]
}

export const note = ({ acts }: Stage, kind: ActKind, { email }: Pick<CastMember, 'email'>, about: string): void =>
  void acts.push({ kind, by: email, about })

/** A demo dealer as the services know whoever asks. */
export const actorOf = ({ id, name }: Pick<CastMember, 'id' | 'name'>): Actor => ({
  dealerId: id,
  role: 'dealer',
  name,
  profileComplete: true,
  admitted: true,
  sessionId: '',
})

export const ageMs = ({ now }: Pick<Stage, 'now'>, at: Date): number => now.getTime() - at.getTime()

/** So long after they came somebody is new to the demo, and is written and bid to first. */
export const newcomerUntilMs = 2 * 60_000
