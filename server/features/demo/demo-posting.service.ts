import type { AuctionTerms } from '#shared/schemas/auctions.ts'
import type { NewVehicle } from '#shared/schemas/posts.ts'
import { writeAuctionPost, writePost } from '#server/db/seed/post-text.ts'
import { makeVehicle, type DemoVehicle } from '#server/db/seed/vehicles.ts'
import { eraseDealer } from '#server/features/account/account.service.ts'
import { openDemoAuction } from '#server/features/auctions/auctions-demo.service.ts'
import { sellInDemo } from '#server/features/deals/deals-demo.service.ts'
import { removeDirected } from '#server/features/posts/posts-changes.service.ts'
import { publishPost } from '#server/features/posts/posts.service.ts'
import { dollarsOf } from '#server/platform/money.ts'
import { ageMs, mayAct, newcomerUntilMs, note, type Stage } from './demo-stage.ts'
import type { LaneTimes } from './lane-plan.ts'
import {
  type CastMember,
  type DrawnVehicle,
  findDirected,
  isVinKnown,
  listDrawn,
  listLeft,
  listToSell,
} from './demo.repository.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const newcomerAfterMs = 10_000
const postEveryMs = 75_000
const postChance = 0.12
/** The demo director keeps fewer posts than this for sale. At this number, it adds none and sells its oldest post. */
const onOfferMax = 90
const onOfferUsual = 24
const saleChance = 0.04
const oldMs = 20 * hourMs
const youngMs = 30 * minuteMs
const removedAfterDays = 10
const removedAtOnce = 20
const leftAfterDays = 3
const leftAtOnce = 2
const startShare = 0.6
const reserveShare = 0.85
const stepDollars = 500
const vinTries = 8

const inSteps = (dollars: number) => Math.max(stepDollars, Math.round(dollars / stepDollars) * stepDollars)

/** Generates a vehicle with an unused VIN, of a model that has generated pictures. */
async function findVehicle({ ctx, random, now }: Stage, drawn: readonly DrawnVehicle[]) {
  if (drawn.length === 0) return undefined
  const { urls, color, make, model } = random.pick(drawn)
  for (let tries = 0; tries < vinTries; tries++) {
    const vehicle = { ...makeVehicle(random, now.getUTCFullYear(), { make, model }), color }
    if (!(await isVinKnown(ctx.db, vehicle.vin))) return { vehicle, urls }
  }
  return undefined
}

const toNew = (
  { vin, year, make, model, trim, mileage, priceCents, color }: DemoVehicle,
  dealer: CastMember,
): NewVehicle => ({
  vin,
  year,
  make,
  model,
  trim,
  mileage,
  price: dollarsOf(priceCents),
  color,
  city: dealer.city,
  state: dealer.state,
  atDealership: true,
})

/** Publishes a post by a demo dealer. @param times start and end of the auction; without them, the post has a fixed price */
export async function publish(stage: Stage, times?: LaneTimes): Promise<void> {
  const kind = times ? 'auction' : 'post'
  const { ctx, random } = stage
  const found = await findVehicle(stage, await listDrawn(ctx.db))
  if (found === undefined || !(await mayAct(stage, kind))) return
  const { vehicle, urls } = found
  const dealer = random.pick(stage.cast)
  const hasReserve = random.chance(0.7)
  const text =
    kind === 'post'
      ? writePost(random, dealer, [vehicle])
      : writeAuctionPost(random, dealer, vehicle, { kind: random.int(0, 2), hasReserve })
  const input = {
    ...text,
    type: 'single' as const,
    vehicles: [toNew(vehicle, dealer)],
    ...(kind === 'auction' && { auctionFacilitator: 'Simulcast' }),
  }
  const price = dollarsOf(vehicle.priceCents)
  await ctx.transact(async (tx, emit) => {
    const photos = urls.map((url) => ({ url, vehicle: 0 }))
    const id = await publishPost(tx, emit, { dealerId: dealer.id, input, photos, directed: true })
    if (times === undefined) return
    const terms: AuctionTerms = {
      startAmount: inSteps(price * startShare),
      reserveAmount: hasReserve ? inSteps(price * reserveShare) : null,
      startsAt: times.startsAt.toISOString(),
      endsAt: times.endsAt.toISOString(),
    }
    await openDemoAuction(tx, emit, { id, sellerId: dealer.id, askingCents: vehicle.priceCents }, terms)
  })
  note(stage, kind, dealer, `${text.title} / ${vehicle.vin}`)
}

export async function postSometimes(stage: Stage): Promise<void> {
  const { random, watching, ctx } = stage
  const { newestAt, active } = await findDirected(ctx.db)
  const isTime = newestAt === null || ageMs(stage, newestAt) > postEveryMs
  const forNewcomer = watching.some(({ since }) => {
    const age = ageMs(stage, since)
    return age > newcomerAfterMs && age < newcomerUntilMs && (newestAt === null || newestAt < since)
  })
  if (active < onOfferMax && (forNewcomer || (isTime && random.chance(postChance)))) await publish(stage)
}

export async function sellSometimes(stage: Stage): Promise<void> {
  const { ctx, random, now, cast, byId } = stage
  const { active } = await findDirected(ctx.db)
  const wanted = active > onOfferUsual && random.chance(saleChance)
  const [post] = await listToSell(ctx.db, now, active >= onOfferMax || wanted ? youngMs : oldMs, 1)
  const seller = post && byId.get(post.dealerId)
  if (post === undefined || seller === undefined) return
  const buyer = random.pick(cast.filter(({ id }) => id !== seller.id))
  if (!(await mayAct(stage, 'sale'))) return
  const amountCents = Math.round((post.priceCents * (0.95 + random.next() * 0.05)) / 5_000) * 5_000
  const sale = { postId: post.id, vehicleId: post.vehicleId, sellerId: seller.id, buyerId: buyer.id, amountCents }
  if (await sellInDemo(ctx, sale)) note(stage, 'sale', buyer, post.title)
}

/** Deletes old posts and abandoned accounts, so that the demo does not grow forever. */
export async function removeOld(stage: Stage): Promise<void> {
  const { db, onLeaving, transact } = stage.ctx
  for (const { id, email } of await listLeft(db, leftAfterDays, leftAtOnce)) {
    await transact((tx, emit) => eraseDealer(tx, emit, onLeaving, id))
    note(stage, 'removal', { email }, 'nobody came back')
  }
  const removed = await transact((tx, emit) => removeDirected(tx, emit, removedAfterDays, removedAtOnce))
  for (const title of removed) note(stage, 'removal', { email: '' }, title)
}
