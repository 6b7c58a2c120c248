import { makeDealers } from './dealers.ts'
import { introduce, type KnownDealer } from './known-dealers.ts'
import { makeDeals, reserve, type DemoDeal } from './network-deals.ts'
import { makePastDeals } from './past-deals.ts'
import { makeFleet, makeLots, makePosts, type DemoPost } from './network-posts.ts'
import { makeConnections, type DemoConnections } from './network-people.ts'
import { makeReactions, type PostReactions } from './post-reactions.ts'
import { seededRandom } from './random.ts'

const dealerCount = 300
const postCount = 500
const vehicleCount = 2_000

/** The demo network as plain data, which depends on neither the database nor files. */
export interface Network {
  dealers: readonly KnownDealer[]
  posts: readonly DemoPost[]
  reception: PostReactions
  connections: DemoConnections
  deals: readonly DemoDeal[]
}

const storySeed = 20_260
const lotSeed = 74_112
const fleetSeed = 15_040

/** Builds the demo network. The same `now` always yields the same network. */
export function makeNetwork(now: Date): Network {
  const random = seededRandom(storySeed)
  const dealers = makeDealers(random, dealerCount).map((dealer) => introduce(random, dealer, now))
  const posts = makePosts(random, dealers, postCount, now)
  const reception = makeReactions(random, dealers, posts, now)
  const connections = makeConnections(random, dealers, now)
  const deals = [...makeDeals(random, dealers, posts, now), ...makePastDeals(dealers, now)]
  const missing = vehicleCount - posts.reduce((sum, { vehicles }) => sum + vehicles.length, 0)
  const fleet = makeFleet(seededRandom(fleetSeed), dealers, now)
  const lots = [fleet, ...makeLots(seededRandom(lotSeed), dealers, missing - fleet.vehicles.length, now)]
  const all = [...reserve(posts, deals), ...lots].toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime())
  return { dealers, posts: all, reception, connections, deals }
}
