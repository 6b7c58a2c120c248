import { demoPeople } from '#server/features/auth/demo-accounts.ts'
import {
  bidForDemo,
  demoBidCents,
  demoLane,
  listRunningDemo,
  listUndecidedDemo,
  reopenDemoAuction,
  type RunningAuction,
} from '#server/features/auctions/auctions-demo.service.ts'
import {
  approveInDemo,
  decideDemoAuction,
  finishInDemo,
  listRestingDeals,
} from '#server/features/deals/deals-demo.service.ts'
import { countOpened } from '#server/features/posts/view-counter.ts'
import { actorOf, ageMs, mayAct, newcomerUntilMs, note, type Stage } from './demo-stage.ts'
import { publish } from './demo-posting.service.ts'
import type { CastMember } from './demo.repository.ts'
import { planNext } from './lane-plan.ts'

const minuteMs = 60_000
const biddersMax = 12
/** Chances of a bid per turn: on a watched auction, on a watched auction near its end, and on an auction that nobody is watching. */
const watchedChance = 0.12
const nearChance = 0.3
const nearEndMs = 2 * minuteMs
const otherChance = 0.04
/** Most auctions that one turn plans, which is enough to fill an empty Lane. */
const plannedAtOnce = 8
const bidAfterMs = 5_000
const takenShare = 0.94
const known = new Set(demoPeople.map(({ email }) => email))

/** Excludes well-known demo accounts, so that visitors who sign in as them never find bids that they did not place. */
const biddersOf = ({ cast }: Stage): CastMember[] => cast.filter(({ email }) => !known.has(email)).slice(0, biddersMax)

/** Keeps a few auctions running and upcoming. Prefers reopening an unsold auction to posting another vehicle. */
export async function fillLane(stage: Stage): Promise<void> {
  const { ctx, random, byId } = stage
  const { now, times } = await demoLane(ctx.db)
  for (let planned = 0; planned < plannedAtOnce; planned++) {
    const next = planNext(times, now, random)
    if (next === undefined) return
    const reopened = await reopenDemoAuction(ctx, next)
    if (reopened) note(stage, 'reopening', byId.get(reopened.sellerId) ?? { email: '' }, reopened.title)
    else await publish(stage, next)
    times.push(next)
  }
}

export async function decideAuctions(stage: Stage): Promise<void> {
  for (const { postId, sellerId, amountCents, reserveCents } of await listUndecidedDemo(stage.ctx.db)) {
    const seller = stage.byId.get(sellerId)
    if (seller === undefined || !(await mayAct(stage, 'decision'))) continue
    const accept = (amountCents ?? 0) >= (reserveCents ?? 0) * takenShare
    if (await decideDemoAuction(stage.ctx, actorOf(seller), postId, accept))
      note(stage, 'decision', seller, accept ? 'sold below the reserve' : 'kept')
  }
}

async function bidOn(stage: Stage, auction: RunningAuction, ahead: boolean): Promise<boolean> {
  const { ctx, random: chance, now } = stage
  const bidders = biddersOf(stage).filter(({ id }) => id !== auction.leaderId && id !== auction.sellerId)
  const cents = demoBidCents(auction, { now, chance, ahead })
  if (cents === undefined || bidders.length === 0) return false
  const bidder = chance.pick(bidders)
  if (!(await mayAct(stage, 'bid')) || !(await bidForDemo(ctx, auction.postId, bidder.id, cents))) return false
  await countOpened(ctx, [{ postId: auction.postId, dealerId: bidder.id }])
  note(stage, 'bid', bidder, `${cents / 100} on ${auction.title}`)
  return true
}

/** Bids soon after a newcomer arrives, often on auctions that somebody is watching, and occasionally on others. */
export async function bidSometimes(stage: Stage): Promise<void> {
  const { ctx, random, now, watching } = stage
  const running = await listRunningDemo(ctx.db, now)
  const lastBid = Math.max(0, ...running.map(({ lastBidAt }) => lastBidAt?.getTime() ?? 0))
  let expected = watching.some(({ since }) => {
    const age = ageMs(stage, since)
    return age > bidAfterMs && age < newcomerUntilMs && lastBid < since.getTime()
  })
  for (const auction of running) {
    const isWatched = (await stage.viewersOf(auction.postId)) > 0
    const near = auction.endsAt.getTime() - now.getTime() < nearEndMs ? nearChance : watchedChance
    if (!expected && !random.chance(isWatched ? near : otherChance)) continue
    if (await bidOn(stage, auction, expected)) expected = false
  }
}

/** Completes deals between demo dealers. Approves and signs a deal with a visitor, and waits for the visitor's signature. */
export async function moveDeals(stage: Stage): Promise<void> {
  const { ctx, cast, byId } = stage
  const ids = cast.map(({ id }) => id)
  for (const { id, sellerId, buyerId } of await listRestingDeals(ctx.db, ids)) {
    const [seller, buyer] = [byId.get(sellerId), byId.get(buyerId)]
    if (seller === undefined) continue
    if (!(await mayAct(stage, 'deal'))) return
    if (buyer === undefined) await approveInDemo(ctx, actorOf(seller), id)
    else await ctx.transact((tx, emit) => finishInDemo(tx, emit, id, [seller, buyer].map(actorOf)))
    note(stage, 'deal', seller, buyer === undefined ? 'approved' : 'completed')
  }
}
