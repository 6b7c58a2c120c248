import { randomInt, randomUUID } from 'node:crypto'
import { bidIncrements, hardEndAfterMs } from '#shared/limits.ts'
import { checkDigitIndex, checkDigitOf } from '#shared/vin.ts'
import { demoPeople } from '#server/features/auth/demo-accounts.ts'
import { makeRoomForNext } from '#server/features/deals/deal-opening.service.ts'
import { endOffers } from '#server/features/deals/offer-notices.service.ts'
import { exchangeVehicle } from '#server/features/posts/posts-changes.service.ts'
import { holdForSale, setVehicleStatus } from '#server/features/posts/vehicle-status.service.ts'
import type { Context } from '#server/platform/context.ts'
import type { Tx } from '#server/platform/db.ts'
import { centsOf } from '#server/platform/money.ts'
import type { Emit } from '#server/platform/transact.ts'
import {
  backdateBids,
  listDemoBidders,
  listDemoVehicles,
  listRested,
  listRunning,
  restart,
} from './auctions-demo.repository.ts'
import { placeBids } from './auctions.repository.ts'
import { publishMoved } from './auctions.service.ts'

/** An end stays on screen this long before the auction opens again. */
const restMs = 90_000
const minuteMs = 60_000
const ageMs = 4 * minuteMs
const shortestMs = 6 * minuteMs
const longestMs = 22 * minuteMs
const openingBids = 5
const openingEveryMs = 41_000
const openingStepCents = centsOf(bidIncrements[0])
const biddersMax = 12
/** One in so many looks at a watched auction ends in a bid. */
const bidChance = 4
const serialLength = 6
const serialMax = 10 ** serialLength
/** Demo dealers stop this much above the reserve. */
const enough = 1.1

/** Whoever tries the demo never finds bids of their own that they did not place. */
const listBidders = (ctx: Context) =>
  listDemoBidders(
    ctx.db,
    demoPeople.map(({ email }) => email),
    biddersMax,
  )

/** Opens demo auctions that have ended, with some bids on them, so that there is always something to watch. */
export async function reopenDemoAuctions(ctx: Context): Promise<void> {
  const bidders = await listBidders(ctx)
  if (bidders.length < 2) return
  await ctx.transact(async (tx, emit) => {
    for (const postId of await listRested(tx, restMs)) await reopen(tx, emit, postId, bidders)
  })
}

async function reopen(tx: Tx, emit: Emit, postId: string, bidders: string[]): Promise<void> {
  await restart(tx, postId, ageMs, randomInt(shortestMs, longestMs), hardEndAfterMs)
  await holdForSale(tx, postId)
  const sold = await makeRoomForNext(tx, postId)
  for (const { id: vehicleId, vin } of await listDemoVehicles(tx, postId)) {
    if (sold && vin !== null) await exchangeVehicle(tx, postId, vehicleId, anotherVin(vin))
    await setVehicleStatus(tx, emit, { postId, vehicleId, status: 'available' })
  }
  await endOffers(tx, emit, postId)
  let minNext: number | undefined
  for (let index = 0; index < openingBids; index++) {
    const bidderId = bidders[(index * 5 + randomInt(2)) % bidders.length]
    if (bidderId === undefined) continue
    // The first try learns the price from its refusal.
    const request = { postId, bidderId, key: randomUUID(), kind: 'bid', cents: minNext ?? 1 } as const
    const [answer] = (await placeBids(tx, [request])).outcomes
    if (answer === undefined) continue
    if (answer.refusal === null) minNext = answer.priceCents + openingStepCents * (1 + randomInt(2))
    else if (answer.refusal === 'TOO_LOW') minNext = answer.minNextCents
  }
  await backdateBids(tx, postId, openingEveryMs)
  await emit('auction.changed', { postId })
}

/** The same vehicle with another serial number: who won the last one has a deal on it. */
function anotherVin(vin: string): string {
  const serial = String(randomInt(serialMax)).padStart(serialLength, '0')
  const without = vin.slice(0, -serialLength) + serial
  return without.slice(0, checkDigitIndex) + (checkDigitOf(without) ?? '0') + without.slice(checkDigitIndex + 1)
}

/** Demo dealers answer in the auctions that somebody watches. `watched` says how many look at a post now. */
export async function bidInDemo(ctx: Context, watched: (postId: string) => Promise<number>): Promise<void> {
  const bidders = await listBidders(ctx)
  for (const { postId, leaderId, amountCents, startCents, reserveCents, incrementCents } of await listRunning(ctx.db)) {
    const cents = amountCents === null ? startCents : amountCents + incrementCents * (1 + randomInt(2))
    if (randomInt(bidChance) > 0 || cents > (reserveCents ?? startCents) * enough) continue
    if ((await watched(postId)) === 0) continue
    const bidderId = bidders.filter((id) => id !== leaderId)[randomInt(Math.max(1, bidders.length - 1))]
    if (bidderId === undefined) continue
    const { moved } = await placeBids(ctx.db, [{ postId, bidderId, key: randomUUID(), kind: 'bid', cents }])
    publishMoved(ctx, moved)
  }
}
