import { speaksOfAuction } from '#shared/auction-rules.ts'
import { bidIncrements } from '#shared/limits.ts'
import { centsOf } from '#server/platform/money.ts'
import type { Seeder } from './seeder.ts'
import { insertMany } from './insert-many.ts'

const hourMs = 3_600_000
const startShare = 0.6
const reserveShare = 0.85
const stepCents = centsOf(bidIncrements[0])

const inSteps = (cents: number) => Math.max(stepCents, Math.round(cents / stepCents) * stepCents)

/** The auctions of the demo's live posts, ended for now: the server opens them when it starts, and again after each end. */
export const seedAuctions: Seeder = async (tx, { posts }, now) => {
  const rows = posts.flatMap(({ id, title, description, dealer, vehicles, status }) => {
    const [vehicle] = vehicles
    if (!speaksOfAuction({ title, description }) || status !== 'active' || !vehicle) return []
    const ended = new Date(now.getTime() - hourMs)
    return {
      postId: id,
      sellerId: dealer.id,
      startCents: inSteps(vehicle.priceCents * startShare),
      reserveCents: inSteps(vehicle.priceCents * reserveShare),
      startsAt: new Date(ended.getTime() - hourMs),
      endsAt: ended,
      hardEndsAt: ended,
      closedAt: ended,
      incrementCents: stepCents,
      status: 'no_sale',
      seq: 0,
      bidCount: 0,
      bidderCount: 0,
      createdAt: ended,
      demo: true,
    }
  })
  await insertMany(tx, 'auctions', rows)
}
