import t from 'tap'
import { seededRandom } from '#server/db/seed/random.ts'
import { type LaneTimes, planNext } from '#server/features/demo/lane-plan.ts'
import { checkDigitHolds, decodeDialogVin } from '#shared/vin/vin.ts'
import { bodies, traitOf, wordKey } from '#shared/vehicle-traits.ts'
import { demoAccounts, demoPassword } from '#server/features/auth/demo-accounts.ts'
import { makeNetwork } from '#server/db/seed/network.ts'
import { modelTraits } from '#server/features/find/model-traits.ts'
import { contradictions } from '#server/db/seed/post-phrases.ts'
import { writeAuctionPost, writePost } from '#server/db/seed/post-text.ts'
import { makeVehicle } from '#server/db/seed/vehicles.ts'
import { planPhotos } from '#server/db/seed/photos/photo-plan.ts'

const now = new Date('2026-11-21T12:00:00Z')
const network = makeNetwork(now)

t.test('generates the same demo network every time', async (t) => {
  t.same(makeNetwork(now), network)
})

t.test('gives every demo vehicle a unique VIN that is valid and decodes to it', async (t) => {
  const vehicles = network.posts.flatMap((post) => post.vehicles)
  t.equal(new Set(vehicles.map(({ vin }) => vin)).size, vehicles.length)
  const wrong = vehicles.filter(({ vin, year, make }) => {
    const decoded = decodeDialogVin(vin)
    return !checkDigitHolds(vin) || decoded?.year !== year || decoded.make !== make
  })
  t.same(wrong, [])
})

t.test('writes no post that contradicts its vehicle or itself', async (t) => {
  const wrong = Array.from({ length: 400 }, (_none, seed) => {
    const random = seededRandom(seed)
    const vehicle = makeVehicle(random, 2026, seed % 2 === 0 ? { make: 'Tesla' } : {})
    const kind = { kind: seed, hasReserve: random.chance(0.5) }
    return [
      writePost(random, { city: 'Dallas' }, [vehicle]),
      writeAuctionPost(random, { city: 'Dallas' }, vehicle, kind),
    ]
      .map(({ title, description }) => `${vehicle.make} ${vehicle.model}: ${title} ${description}`)
      .filter((words) => contradictions.some(([one, other]) => one.test(words) && other.test(words)))
  })
  t.same(wrong.flat(), [])
})

t.test("knows every demo vehicle's traits in Find, and draws them accordingly", async (t) => {
  const { models, vins } = modelTraits()
  const drawn = { pickup: 'pickup', suv: 'suv', crossover: 'suv', sedan: 'sedan', coupe: 'coupe', van: 'van' }
  const wrong = network.posts
    .flatMap((post) => post.vehicles)
    .filter(({ vin, make, model, body }) => {
      const ofModel = models[`${wordKey(make)} ${wordKey(model)}`] ?? [0, 0, 0]
      const start = [8, 7, 6, 5].map((length) => vin.slice(0, length)).find((known) => known in vins) ?? ''
      const [ofBody, drive, fuel] = ofModel.map((number, place) => vins[start]?.[place] || number)
      return traitOf(bodies, ofBody ?? 0) !== drawn[body] || !drive || !fuel
    })
  t.same(
    wrong.map(({ vin, make, model }) => `${make} ${model} ${vin}`),
    [],
  )
})

t.test('has the promised accounts, posts of the last month and three live auctions', async (t) => {
  t.ok(demoPassword.length >= 12)
  const emails = new Set(network.dealers.map(({ email }) => email))
  for (const { email } of demoAccounts) t.ok(emails.has(email), email)
  t.equal(network.dealers.length, 300)
  t.ok(network.posts.length >= 500)
  const vehicles = network.posts.flatMap((post) => post.vehicles)
  t.ok(vehicles.length >= 2_000, 'so many that counts look like a market')
  t.equal(network.posts.filter(({ title, description }) => /auction/i.test(`${title} ${description}`)).length, 3)
  const ages = network.posts.map(({ createdAt }) => now.getTime() - createdAt.getTime())
  t.ok(Math.min(...ages) > 0, 'nothing is posted in the future')
  t.ok(Math.max(...ages) < 30 * 24 * 3_600_000, 'no auction or post exceeds its thirty days')
  for (const status of ['pending', 'approved', 'cancelled', 'completed'])
    t.ok(
      network.deals.some((deal) => deal.status === status),
      `a ${status} deal`,
    )
})

t.test('keeps demo vehicles out of two open deals and out of sale while in a deal or auction', async (t) => {
  const living = network.deals.filter(({ vehicleId, status }) => vehicleId !== null && status !== 'cancelled')
  const stateOf = new Map(
    living.map(({ vehicleId, status }) => [vehicleId, status === 'completed' ? 'sold' : 'pending']),
  )
  t.equal(stateOf.size, living.length)
  const wrong = network.posts.flatMap(({ vehicles, title }) =>
    vehicles.filter(({ id, status }) => stateOf.has(id) && (status !== stateOf.get(id) || /auction/i.test(title))),
  )
  t.same(wrong, [])
})

/** States and provinces by the first character of their postal codes. */
const beginnings: Record<string, string> = {
  0: 'CT MA NH NJ', 1: 'NY PA', 2: 'MD NC SC VA', 3: 'AL FL GA MS TN', 4: 'IN KY MI OH', 5: 'IA MN MT ND SD WI',
  6: 'IL KS MO NE', 7: 'AR LA OK TX', 8: 'AZ CO ID NM NV UT', 9: 'CA OR WA',
  B: 'NS', E: 'NB', H: 'QC', J: 'QC', K: 'ON', M: 'ON', N: 'ON', R: 'MB', S: 'SK', T: 'AB', V: 'BC',
} // oxfmt-ignore

t.test('gives every demo dealer a postal code in its state', async (t) => {
  const wrong = network.dealers.filter(({ zip, state }) => !beginnings[zip[0] ?? '']?.split(' ').includes(state))
  t.same(
    wrong.map(({ zip, city, state }) => `${city}, ${state} ${zip}`),
    [],
  )
})

t.test('gives every demo post photos and draws equal pictures once', async (t) => {
  const plan = planPhotos(network.posts)
  t.equal(new Set(plan.map(({ postId }) => postId)).size, network.posts.length)
  const pictures = new Set(plan.map(({ drawing }) => drawing.key))
  t.ok(pictures.size < 420, `${pictures.size} pictures for ${plan.length} photos`)
})

t.test('shows a single vehicle from three sides and inside, with its damage, and nothing twice', async (t) => {
  const shown = network.posts.map((post) => ({ ...post, drawings: planPhotos([post]).map(({ drawing }) => drawing) }))
  const twice = shown.filter(({ drawings }) => new Set(drawings.map(({ key }) => key)).size < drawings.length)
  t.same(twice, [])
  const singles = shown.filter(({ vehicles }) => vehicles.length === 1)
  const sides = singles.map(({ drawings }) => drawings.slice(0, 4).map(({ shows }) => shows))
  t.same([...new Set(sides.map(String))], ['front,side,rear,dash'])
  const damaged = /door dings|hail|respray|left quarter|curb rash|small star/i
  const isShown = ({ drawings }: (typeof shown)[number]) => drawings.some(({ shows }) => shows === 'damage')
  t.same(
    singles.filter(isShown),
    singles.filter(({ description }) => damaged.test(description)),
  )
  t.ok(singles.filter(isShown).length > 20)
})

t.test('gives dealers past sales of vanished vehicles, older than any post', async (t) => {
  const past = network.deals.filter(({ postId }) => postId === null)
  t.ok(past.length > 1_000, `${past.length} past deals`)
  t.same(
    past.filter(({ sellerId, buyerId, completedAt, createdAt }) => {
      const closed = completedAt?.getTime() ?? now.getTime()
      return sellerId === buyerId || closed <= createdAt.getTime() || closed > now.getTime() - 30 * 24 * 3_600_000
    }),
    [],
  )
  const traders = network.dealers.filter(({ role }) => role === 'dealer')
  const known = new Set(past.flatMap(({ sellerId, buyerId }) => [sellerId, buyerId]))
  t.ok(traders.filter(({ id }) => known.has(id)).length > traders.length * 0.95, 'nearly all dealers have dealt before')
  const sold = network.deals.filter(({ status }) => status === 'completed').map(({ vin }) => vin)
  t.equal(new Set(sold).size, sold.length, 'no vehicle is sold twice')
})

t.test('keeps three to six demo auctions running, with different ends and some scheduled', (t) => {
  const random = seededRandom(4_711)
  const minuteMs = 60_000
  let lane: LaneTimes[] = []
  const faults: string[] = []
  const gaps: number[] = []
  // Simulate half a day with one step per minute. Late bids postpone the end of some auctions.
  for (let minute = 0; minute < 720; minute++) {
    const now = new Date(minute * minuteMs)
    for (let next = planNext(lane, now, random); next !== undefined; next = planNext(lane, now, random)) lane.push(next)
    lane = lane.filter(({ endsAt }) => endsAt > now)
    const running = lane.filter(({ startsAt }) => startsAt <= now)
    const coming = lane.length - running.length
    if (running.length < 3 || running.length > 6 || coming < 3 || coming > 6)
      faults.push(`minute ${minute}: ${running.length} run, ${coming} come`)
    const ends = lane.map(({ endsAt }) => endsAt.getTime()).toSorted((a, b) => a - b)
    gaps.push(...ends.slice(1).map((end, index) => end - (ends[index] ?? 0)))
    const late = running.find(({ endsAt }) => endsAt.getTime() - now.getTime() < minuteMs)
    if (late && random.chance(0.3)) late.endsAt = new Date(late.endsAt.getTime() + minuteMs)
  }
  t.same(faults, [])
  t.ok(
    gaps.toSorted((a, b) => a - b)[Math.floor(gaps.length / 10)]! > 20_000,
    'nine in ten ends have no other end near them',
  )
  t.end()
})
