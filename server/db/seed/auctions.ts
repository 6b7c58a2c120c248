import { bidIncrements, hardEndAfterMs } from '#shared/limits.ts'
import { danaEmail, demoPeople } from '#server/features/auth/demo-accounts.ts'
import { bidToOpen } from '#server/features/auctions/auctions-demo.service.ts'
import { updateBidCounts } from '#server/features/posts/posts.repository.ts'
import { centsOf } from '#server/platform/money.ts'
import type { Seeder } from './seeder.ts'
import { insertMany } from './insert-many.ts'
import { findKnown } from './known-dealers.ts'
import { seededRandom } from './random.ts'

const minuteMs = 60_000
const startShare = 0.6
const reserveShare = 0.85
const stepCents = centsOf(bidIncrements[0])
const auctionSeed = 31_900
const biddersMax = 12

const inSteps = (cents: number) => Math.max(stepCents, Math.round(cents / stepCents) * stepCents)

/** Creates auctions with bids and pins them on the Lane of Dana, the demo's main dealer. The demo director restarts ended auctions. */
export const seedAuctions: Seeder = async (tx, { posts, dealers }, now) => {
  const random = seededRandom(auctionSeed)
  const rows = posts.flatMap(({ id, dealer, vehicles, auction }) => {
    const [vehicle] = vehicles
    if (auction === undefined || !vehicle) return []
    const endsAt = new Date(now.getTime() + auction.endsIn * minuteMs)
    const startsAt = new Date(now.getTime() - auction.startedAgo * minuteMs)
    return {
      postId: id,
      sellerId: dealer.id,
      startCents: inSteps(vehicle.priceCents * startShare),
      reserveCents: auction.hasReserve ? inSteps(vehicle.priceCents * reserveShare) : null,
      startsAt,
      endsAt,
      hardEndsAt: new Date(endsAt.getTime() + hardEndAfterMs),
      incrementCents: stepCents,
      status: 'open',
      seq: 0,
      bidCount: 0,
      bidderCount: 0,
      createdAt: startsAt,
      demo: true,
    }
  })
  await insertMany(tx, 'auctions', rows)
  const bidders = dealers.slice(demoPeople.length, demoPeople.length + biddersMax).map(({ id }) => id)
  for (const { postId } of rows) await bidToOpen(tx, random, postId, bidders)
  await updateBidCounts(tx)
  const dana = findKnown(dealers, danaEmail).id
  const pins = rows.map(({ postId }, index) => ({ dealerId: dana, postId, slot: index + 1, pinnedAt: now }))
  await tx
    .insertInto('lanePins')
    .values(pins)
    .onConflict((pin) => pin.columns(['dealerId', 'postId']).doNothing())
    .execute()
}
