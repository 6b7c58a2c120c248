import { randomUUID } from 'node:crypto'
import type { AuctionTerms } from '#shared/schemas/auctions.ts'
import { bidIncrements, hardEndAfterMs } from '#shared/limits.ts'
import { readClock } from '#server/platform/process/clock.ts'
import { dropAuctionOffers } from '#server/features/deals/deal-opening.service.ts'
import { isLotForSale } from '#server/features/sale/sale.service.ts'
import { endOffersOnLot } from '#server/features/deals/offers/offer-notices.service.ts'
import { refreshFind } from '#server/features/find/refresh-find.service.ts'
import type { Context } from '#server/platform/process/context.ts'
import type { Db, Tx } from '#server/platform/database/db.ts'
import { centsOf } from '#server/platform/money.ts'
import type { Emit } from '#server/platform/database/transact.ts'
import {
  backdateBids,
  listRested,
  listRunning,
  listTimes,
  listUndecided,
  markDemo,
  restart,
} from './auctions-demo.repository.ts'
import { openAuction } from './auction-of-post.service.ts'
import { placeBids } from './auctions.repository.ts'
import { publishMoved } from './auctions.service.ts'

const restMs = 90_000
const decideMs = 45_000
const openingEveryMs = 41_000
const openingStepCents = centsOf(bidIncrements[0])
/** Highest demo bid as a share of the reserve, or of the starting amount if there is no reserve. Some auctions end below the reserve. */
const ofReserve = { least: 0.92, most: 1.12 }
const ofStart = { least: 1.3, most: 1.5 }
const shares = 8
/** Demo bids rise over time. This share of the range is allowed from the start. */
const headStart = 0.15

interface Chance {
  int: (low: number, high: number) => number
}

type Rested = Awaited<ReturnType<typeof listRested>>[number]

export async function demoLane(db: Db): Promise<{ now: Date; times: { startsAt: Date; endsAt: Date }[] }> {
  return { now: await readClock(db), times: await listTimes(db) }
}

export async function openDemoAuction(
  tx: Tx,
  emit: Emit,
  post: Parameters<typeof openAuction>[2],
  terms: AuctionTerms,
): Promise<void> {
  await openAuction(tx, emit, post, terms)
  await markDemo(tx, post.id)
  await refreshFind(tx, [post.id])
}

const restedLooked = 5

export async function reopenDemoAuction(
  ctx: Context,
  times: { startsAt: Date; endsAt: Date },
): Promise<Rested | undefined> {
  return ctx.transact(async (tx, emit) => {
    for (const rested of await listRested(tx, restMs, restedLooked)) {
      const { postId } = rested
      if (!(await isLotForSale(tx, postId))) continue
      await restart(tx, postId, { ...times, hardEndsAt: new Date(times.endsAt.getTime() + hardEndAfterMs) })
      await dropAuctionOffers(tx, postId)
      await endOffersOnLot(tx, emit, postId)
      await emit.job('auction.close', { postId }, { runAt: times.endsAt, uniqueKey: postId })
      await refreshFind(tx, [postId])
      await emit('auction.changed', { postId })
      return rested
    }
    return undefined
  })
}

export async function bidToOpen(tx: Tx, chance: Chance, postId: string, bidders: readonly string[]): Promise<void> {
  let minNext: number | undefined
  const openingBids = chance.int(3, 5)
  for (let index = 0; index < openingBids; index++) {
    const bidderId = bidders[(index * 5 + chance.int(0, 1)) % bidders.length]
    if (bidderId === undefined) continue
    // The first bid is too low on purpose: its rejection contains the minimum bid.
    const request = { postId, bidderId, key: randomUUID(), kind: 'bid', cents: minNext ?? 1 } as const
    const [answer] = (await placeBids(tx, [request])).outcomes
    if (answer === undefined) continue
    if (answer.refusal === null) minNext = answer.priceCents + openingStepCents * chance.int(1, 2)
    else if (answer.refusal === 'TOO_LOW') minNext = answer.minNextCents
  }
  await backdateBids(tx, postId, openingEveryMs)
}

export type RunningAuction = Awaited<ReturnType<typeof listRunning>>[number]

export const listRunningDemo = (db: Db, now: Date): Promise<RunningAuction[]> => listRunning(db, now)

export const listUndecidedDemo = (db: Db) => listUndecided(db, decideMs)

/** Returns the next bid, or undefined above a limit that rises with time, so that bidding lasts. `ahead` allows the full limit at once. */
export function demoBidCents(
  { amountCents, startCents, reserveCents, incrementCents, startsAt, endsAt }: RunningAuction,
  { now, chance, ahead }: { now: Date; chance: Chance; ahead: boolean },
): number | undefined {
  const range = reserveCents === null ? ofStart : ofReserve
  const place = (Math.round(startCents / openingStepCents) % shares) / (shares - 1)
  const most = (reserveCents ?? startCents) * (range.least + (range.most - range.least) * place)
  const passed = (now.getTime() - startsAt.getTime()) / (endsAt.getTime() - startsAt.getTime())
  const fair = startCents + (most - startCents) * Math.min(1, headStart + passed)
  const cents = amountCents === null ? startCents : amountCents + incrementCents * chance.int(1, 2)
  return cents <= (ahead ? most : fair) ? cents : undefined
}

export async function bidForDemo(ctx: Context, postId: string, bidderId: string, cents: number): Promise<boolean> {
  const { outcomes, moved } = await placeBids(ctx.db, [{ postId, bidderId, key: randomUUID(), kind: 'bid', cents }])
  publishMoved(ctx, moved)
  return outcomes[0]?.refusal === null
}
