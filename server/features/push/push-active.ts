import { activeMs } from '#shared/limits.ts'
import type { Context } from '#server/platform/process/context.ts'

const activeKey = ({ config }: Pick<Context, 'config'>, dealerId: string) => `${config.redisPrefix}:active:${dealerId}`
const soundKey = ({ config }: Pick<Context, 'config'>, chatId: string, dealerId: string) =>
  `${config.redisPrefix}:pushed:${chatId}:${dealerId}`

/** After a push with a sound, later pushes of the same chat are silent for this many milliseconds. */
const soundEveryMs = 60_000

/** Records that the dealer is active. Without Redis, does nothing, so pushes are sent at once. */
export async function noteActive(ctx: Context, dealerId: string): Promise<void> {
  if (ctx.redis.healthy())
    await ctx.redis.commands.set(activeKey(ctx, dealerId), '1', 'PX', activeMs).catch(() => undefined)
}

export async function isActive(ctx: Context, dealerId: string): Promise<boolean> {
  if (!ctx.redis.healthy()) return false
  return (await ctx.redis.commands.exists(activeKey(ctx, dealerId)).catch(() => 0)) === 1
}

export async function hadSound(ctx: Context, chatId: string, dealerId: string): Promise<boolean> {
  if (!ctx.redis.healthy()) return false
  return (await ctx.redis.commands.exists(soundKey(ctx, chatId, dealerId)).catch(() => 0)) === 1
}

export async function noteSound(ctx: Context, chatId: string, dealerId: string): Promise<void> {
  if (ctx.redis.healthy())
    await ctx.redis.commands.set(soundKey(ctx, chatId, dealerId), '1', 'PX', soundEveryMs).catch(() => undefined)
}
