import type { Auction, ReserveRefusal } from '#shared/schemas/auctions.ts'
import { type AppError, conflict, forbidden, notFound } from '#server/errors.ts'
import { type By, recordAct } from '#server/features/audit/audit.service.ts'
import { touchInbox } from '#server/features/notifications/inbox.service.ts'
import type { Context } from '#server/platform/process/context.ts'
import { centsOf, dollarsOf } from '#server/platform/money.ts'
import { once } from '#server/platform/run-once.ts'
import { unreachableCents } from './auctions.policy.ts'
import {
  findOwnSide,
  findState,
  findTitle,
  hasReserveChange,
  insertReserveChange,
  lowerReserve,
} from './auctions.repository.ts'
import { lockAuction, type LockedAuction } from '#server/features/sale/sale.service.ts'
import { centsOrNull } from './auctions.rows.ts'
import { readAuction } from './auctions.service.ts'

const reserveLimit = { name: 'reserve', max: 10, seconds: 3_600 }

const messages: Record<ReserveRefusal, string> = {
  RESERVE_HIGHER: 'A reserve can only be lowered',
  BELOW_START: 'The reserve cannot be below the starting amount',
  CLOSED: 'This auction is over',
}

const notTheSeller = () => forbidden('Only the seller can change this auction')
const refused = (code: ReserveRefusal, why = messages[code]): AppError => conflict(why, { code })

function refusalOfReserve({ status, isDue, reserveCents }: LockedAuction, cents: number): AppError {
  if (status !== 'open' || isDue) return refused('CLOSED')
  if (reserveCents === null) return refused('RESERVE_HIGHER', 'This auction has no reserve to lower')
  return refused(cents >= reserveCents ? 'RESERVE_HIGHER' : 'BELOW_START')
}

/** If the seller wants to decide, the audit log says so instead of showing an amount. */
const logged = (cents: number) => ({ reserve: cents === unreachableCents ? 'the seller decides' : dollarsOf(cents) })

/**
 * Lowers the reserve. If the highest bid meets the new reserve, the auction continues and will end in a sale. Idempotent by key.
 * @throws 404 if the auction does not exist; 403 if it belongs to another dealer; 409 with `RefusedReserve`; 429 after too many reductions
 */
export async function changeReserve(
  ctx: Context,
  by: By,
  postId: string,
  { amount, key }: { amount: number; key: string },
): Promise<Auction> {
  const { dealerId } = by.actor
  const cents = centsOf(amount)
  if ((await findState(ctx.db, postId, 0)) === undefined) throw notFound('This auction')
  if ((await findOwnSide(ctx.db, postId, dealerId)).sellerId !== dealerId) throw notTheSeller()
  const answer = () => readAuction(ctx, by.actor, postId)
  const known = async () => ((await hasReserveChange(ctx.db, postId, dealerId, key)) ? answer() : undefined)
  return once(known, async () => {
    await ctx.limiter.consume(reserveLimit, postId, dealerId)
    await ctx.transact(async (tx, emit) => {
      const locked = await lockAuction(tx, postId, dealerId)
      if (locked === undefined) throw notTheSeller()
      const lowered = await lowerReserve(tx, postId, cents)
      if (lowered === undefined) throw refusalOfReserve(locked, cents)
      await insertReserveChange(tx, { postId, actorId: dealerId, key, ...lowered, toCents: cents })
      await recordAct(tx, by, {
        action: (locked.amountCents ?? 0) >= cents ? 'auction.accept' : 'auction.reserve',
        subject: { kind: 'post', id: postId, name: (await findTitle(tx, postId)) ?? '' },
        before: { ...logged(lowered.fromCents), amount: centsOrNull(locked.amountCents) },
        after: logged(cents),
      })
      await emit('auction.changed', { postId })
      await touchInbox(tx, emit, [dealerId], 'lane', postId)
    })
    return answer()
  })
}
