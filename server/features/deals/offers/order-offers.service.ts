import type { Offer } from '#shared/schemas/deals.ts'
import type { DemandOffer } from '#shared/schemas/wanted.ts'
import { requireTaker } from '#server/features/wanted/demand/demand.service.ts'
import type { Context } from '#server/platform/context.ts'
import type { Actor } from '#server/platform/session.ts'
import { offerToBuyer } from './offers.service.ts'

/**
 * Offers the dealer's vehicle to the referenced buy order at its price. The buyer has 24 hours to accept.
 * @throws 404 for another dealer's vehicle or an invalid reference, 409 if the order no longer takes it, 402, 429
 */
export async function offerToOrder(ctx: Context, actor: Actor, asked: DemandOffer): Promise<Offer> {
  return offerToBuyer(ctx, actor, await requireTaker(ctx, actor, asked))
}
