import { expireOffers } from '#server/features/deals/offers.service.ts'
import type { Context } from '#server/platform/context.ts'
import { sweepAuctions } from './auction-closing.service.ts'
import { notifyOutbid } from './auction-notices.service.ts'

const sweepEveryMs = 500

/** Closes what is over by the database's clock and tells who was outbid, again and again, until stopped. */
export function startAuctionSweeper(ctx: Context): () => Promise<void> {
  let running: Promise<void> | undefined
  const sweep = async () => {
    try {
      await sweepAuctions(ctx)
      await notifyOutbid(ctx)
      await expireOffers(ctx)
    } catch (error) {
      ctx.log.warn({ err: error }, 'the auction sweep failed and will be repeated')
    }
    running = undefined
  }
  const timer = setInterval(() => void (running ??= sweep()), sweepEveryMs)
  return async () => {
    clearInterval(timer)
    await running
  }
}
