import { activeMs } from '#shared/limits.ts'
import type { Context } from '#server/platform/process/context.ts'

const activeKey = ({ config }: Pick<Context, 'config'>, dealerId: string) => `${config.redisPrefix}:active:${dealerId}`
const soundKey = ({ config }: Pick<Context, 'config'>, chatId: string, dealerId: string) =>
  `${config.redisPrefix}:pushed:${chatId}:${dealerId}`

/** After a push with a sound, later ones of the same chat are silent for this long. */
const soundEveryMs = 60_000

/** Records that the dealer is using Lanewire right now. Does nothing without Redis, so that pushes are sent at once. */
export async function noteActive(ctx: Context, dealerId: string): Promise<void> {
  if (ctx.redis.healthy())
    await ctx.redis.commands.set(activeKey(ctx, dealerId), '1', 'PX', activeMs).catch(() => undefined)
}

export async function isActive(ctx: Context, dealerId: string): Promise<boolean> {
  if (!ctx.redis.healthy()) return false
  return (await ctx.redis.commands.exists(activeKey(ctx, dealerId)).catch(() => 0)) === 1
}

/** True for the first push of a chat within a minute. Without Redis always. */
export async function claimSound(ctx: Context, chatId: string, dealerId: string): Promise<boolean> {
  if (!ctx.redis.healthy()) return true
  const key = soundKey(ctx, chatId, dealerId)
  return (await ctx.redis.commands.set(key, '1', 'PX', soundEveryMs, 'NX').catch(() => 'OK')) === 'OK'
}
