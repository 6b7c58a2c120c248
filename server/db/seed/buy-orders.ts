import { askedAboveShare, demandDealersMin } from '#shared/constants/wanted.ts'
import { wordKey } from '#shared/vehicle-traits.ts'
import { checkDigitHolds } from '#shared/vin/vin.ts'
import { danaEmail, marcusEmail } from '#server/features/auth/demo-accounts.ts'
import { findPlaceId, upsertOrderWatcher } from '#server/features/wanted/watchers.repository.ts'
import { insertPastMatches } from '#server/features/wanted/matches.repository.ts'
import { insertOrder } from '#server/features/wanted/orders.repository.ts'
import { dayMs, findKnown, type KnownDealer } from './known-dealers.ts'
import type { Network } from './network.ts'
import type { KnownVehicle } from './network-posts.ts'
import { type Random, seededRandom } from './random.ts'
import type { Seeder } from './seeder.ts'

const modelsWanted = 14
const mostBuyers = 11
const fewestBuyers = 2
const ownOrders = [0, 1, 2, 4]
const ownMatches = 3
const radii = [150, 200, 300, 300, 500]
const notes = ['', '', 'Work trucks welcome.', 'Title within 10 days.', 'Light damage is fine, no frame.', '']
const milesStep = 10_000
const centsStep = 25_000

/** Search criteria that the demo's buy orders leave open. */
const nothing = {
  trimKeys: null,
  yearNone: false,
  priceMin: null,
  priceMax: null,
  priceNone: false,
  milesMin: null,
  milesNone: false,
  bodies: null,
  drives: null,
  fuels: null,
  sales: null,
  connectedOnly: false,
  ratingMin: null,
  photosOnly: false,
  postedDays: null,
}

interface Terms {
  yearMin: number
  yearMax: number
  milesMax: number
  priceCents: number
}

interface Model {
  make: string
  model: string
  vehicles: { vehicle: KnownVehicle; dealer: KnownDealer; at: Date }[]
}

const keyOf = ({ make, model }: Pick<Model, 'make' | 'model'>): string => `${wordKey(make)} ${wordKey(model)}`

/** Returns an available vehicle from the dealer's newest active post. It has a valid VIN, and its model is not in `without`. */
function ownOffered({ posts }: Network, dealer: KnownDealer, without: ReadonlySet<string>): KnownVehicle | undefined {
  return posts
    .filter(({ dealer: { id }, status, auction }) => id === dealer.id && status === 'active' && !auction)
    .toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime())
    .flatMap(({ vehicles }) => vehicles)
    .find((one) => one.status === 'available' && checkDigitHolds(one.vin) && !without.has(keyOf(one)))
}

const termsFor = ({ year, mileage, priceCents }: KnownVehicle): Terms => ({
  yearMin: year - 1,
  yearMax: year + 1,
  milesMax: Math.ceil(mileage / milesStep) * milesStep,
  priceCents: Math.max(centsStep, Math.round((priceCents * 0.96) / centsStep) * centsStep),
})

function listModels({ posts }: Network): Model[] {
  const models = new Map<string, Model>()
  for (const { vehicles, dealer, status, createdAt: at, auction } of posts)
    for (const vehicle of vehicles) {
      const { make, model } = vehicle
      if (!make || !model || status !== 'active' || vehicle.status !== 'available' || auction) continue
      const key = keyOf(vehicle)
      const known = models.get(key) ?? { make, model, vehicles: [] }
      known.vehicles.push({ vehicle, dealer, at })
      models.set(key, known)
    }
  return [...models.values()].toSorted((a, b) => b.vehicles.length - a.vehicles.length).slice(0, modelsWanted)
}

const middleOf = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0

function termsOf({ vehicles }: Model, random: Random): Terms {
  const years = vehicles.flatMap(({ vehicle }) => vehicle.year)
  const middle = middleOf(years)
  const span = vehicles.filter(({ vehicle: { year } }) => Math.abs(year - middle) <= 2)
  const miles = middleOf(span.map(({ vehicle }) => vehicle.mileage))
  const asked = middleOf(span.map(({ vehicle }) => vehicle.priceCents))
  const share = 0.86 + random.next() * 0.14
  return {
    yearMin: middle - random.int(1, 2),
    yearMax: middle + random.int(0, 2),
    milesMax: (Math.ceil(miles / milesStep) + random.int(0, 2)) * milesStep,
    priceCents: Math.max(centsStep, Math.round((asked * share) / centsStep) * centsStep),
  }
}

/** Creates buy orders, and matches for the orders of Dana and Marcus. Find's tables must already be filled. */
export const seedBuyOrders: Seeder = async (tx, network, now) => {
  const random = seededRandom(20_261_123)
  const models = listModels(network)
  const people = [danaEmail, marcusEmail].map((email) => findKnown(network.dealers, email))
  const others = network.dealers.filter((dealer) => dealer.trade > 40 && !people.includes(dealer))
  const place = async (
    dealer: KnownDealer,
    model: Pick<Model, 'make' | 'model'>,
    { priceCents, ...range }: Terms,
    anywhere = false,
  ): Promise<void> => {
    const near = dealer.zip
    const placeId = await findPlaceId(tx, near)
    const orderId = await insertOrder(tx, dealer.id, {
      make: model.make,
      model: model.model,
      near,
      priceCents,
      perMonth: random.int(1, 4),
      showName: random.next() < 0.2,
      note: random.pick(notes),
      expiresAt: new Date(now.getTime() + random.int(8, 80) * dayMs),
      answeredAt: now,
    })
    const radius = random.pick(radii)
    await upsertOrderWatcher(tx, dealer.id, orderId, {
      ...nothing,
      ...range,
      makeKey: wordKey(model.make),
      modelKey: wordKey(model.model),
      placeId,
      radius: anywhere ? null : radius,
      active: true,
    })
  }
  for (const [rank, model] of models.entries()) {
    const sellers = new Set(model.vehicles.map(({ dealer }) => dealer.id))
    const count = Math.max(fewestBuyers, mostBuyers - rank)
    const buyers = others.filter(({ id }) => !sellers.has(id))
    for (let index = 0; index < count; index++) {
      const buyer = buyers[(rank * 17 + index * 7) % Math.max(1, buyers.length)]
      if (buyer) await place(buyer, model, termsOf(model, random))
    }
  }
  for (const person of people)
    for (const rank of ownOrders) {
      const model = models[rank]
      if (model) await place(person, model, termsOf(model, random))
    }
  const [dana] = people
  const own = dana && ownOffered(network, dana, new Set(ownOrders.flatMap((rank) => models[rank] ?? []).map(keyOf)))
  if (own) for (const buyer of others.slice(0, demandDealersMin)) await place(buyer, own, termsFor(own), true)
  await insertPastMatches(
    tx,
    people.map(({ id }) => id),
    { perOrder: ownMatches, askedAboveShare },
  )
}
