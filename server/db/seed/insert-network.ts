import { sql } from 'kysely'
import { caProvinces } from '#shared/places.ts'
import { refreshSearch } from '#server/features/posts/posts.repository.ts'
import { summarize, type SummaryVehicle } from '#server/features/posts/summaries/summary-text.ts'
import type { Tx } from '#server/platform/database/db.ts'
import { insertMany } from './insert-many.ts'
import type { KnownDealer } from './known-dealers.ts'
import type { Network } from './network.ts'
import type { KnownVehicle } from './network-posts.ts'

const postLifeMs = 30 * 24 * 3_600_000

/** The counters in the data must match the numbers of rows. */
export async function insertNetwork(tx: Tx, network: Network, passwordHash: string): Promise<void> {
  await insertDealers(tx, network, passwordHash)
  await insertPosts(tx, network)
  const { comments, reactions, views } = network.reception
  await insertMany(tx, 'comments', comments)
  await insertMany(tx, 'reactions', reactions)
  await insertMany(tx, 'post_views', views)
  await insertMany(tx, 'post_impressions', views)
  await insertMany(tx, 'connections', network.connections.pairs)
  await insertMany(tx, 'connection_requests', network.connections.requests)
  await insertMany(tx, 'profile_views', network.connections.profileViews)
  await insertMany(
    tx,
    'deals',
    network.deals.map((deal) => ({
      ...deal,
      updatedAt: deal.completedAt ?? deal.createdAt,
    })),
  )
  await refreshSearch(
    tx,
    network.posts.map(({ id }) => id),
  )
}

async function insertDealers(tx: Tx, network: Network, passwordHash: string): Promise<void> {
  const connections = countBy(network.connections.pairs.map(({ dealerId }) => dealerId))
  const completed = network.deals.filter(({ status }) => status === 'completed')
  const deals = countBy(completed.flatMap(({ sellerId, buyerId }) => [sellerId, buyerId]))
  const rows = network.dealers.map((dealer) => ({
    ...accountOf(dealer, passwordHash),
    connectionCount: connections.get(dealer.id) ?? 0,
    dealsCompleted: deals.get(dealer.id) ?? 0,
  }))
  await insertMany(tx, 'dealers', rows)
}

const licenseLifeMs = 20 * 365 * 24 * 3_600_000

function accountOf(dealer: KnownDealer, passwordHash: string) {
  const isCanadian = (caProvinces as readonly string[]).includes(dealer.state)
  const { trade: _, joinedAt, ...columns } = dealer
  return {
    ...columns,
    passwordHash,
    country: isCanadian ? 'CA' : 'US',
    profileType: dealer.trade % 3 === 0 ? 'buyer' : 'seller',
    buysCanadianVehicles: isCanadian || dealer.trade % 5 === 0,
    auctionAccessNumber: `100${dealer.licenseNumber.replace(/\D/g, '')}`,
    demo: true,
    settings: dealer.trade % 2 === 0 ? { showOnPublicPage: true } : {},
    licenseState: dealer.state,
    licenseExpiresOn: new Date(joinedAt.getTime() + licenseLifeMs).toISOString().slice(0, 10),
    licenseSubmittedAt: joinedAt,
    licenseVerifiedAt: joinedAt,
    emailVerifiedAt: joinedAt,
    profileCompletedAt: joinedAt,
    createdAt: joinedAt,
    updatedAt: joinedAt,
  }
}

async function insertPosts(tx: Tx, { posts, reception }: Network): Promise<void> {
  const comments = countBy(reception.comments.map(({ postId }) => postId))
  const likes = countBy(reception.reactions.filter(({ kind }) => kind === 'like').map(({ postId }) => postId))
  const infos = countBy(reception.reactions.filter(({ kind }) => kind === 'info').map(({ postId }) => postId))
  const views = countBy(reception.views.map(({ postId }) => postId))
  const rows = posts.map(({ vehicles, dealer, auction: _auction, ...post }) => ({
    ...post,
    dealerId: dealer.id,
    aiSummary: JSON.stringify(summarize(post, vehicles.map(forSummary), post.createdAt.getFullYear())),
    vehicleCount: vehicles.length,
    availableCount: vehicles.filter(({ status }) => status === 'available').length,
    commentCount: comments.get(post.id) ?? 0,
    likeCount: likes.get(post.id) ?? 0,
    infoCount: infos.get(post.id) ?? 0,
    viewCount: views.get(post.id) ?? 0,
    updatedAt: post.createdAt,
    expiresAt: new Date(post.createdAt.getTime() + postLifeMs),
  }))
  await insertMany(tx, 'posts', rows)
  const vehicleRows = posts.flatMap(({ id: postId, dealer, vehicles }) =>
    vehicles.map(({ body: _body, paintIndex: _paintIndex, ...vehicle }, position) => ({
      ...vehicle,
      postId,
      position,
      city: dealer.city,
      state: dealer.state,
      atDealership: true,
    })),
  )
  await insertMany(tx, 'vehicles', vehicleRows)
  await sql`analyze posts, vehicles, comments, dealers`.execute(tx)
}

const forSummary = (vehicle: KnownVehicle): SummaryVehicle => ({
  ...vehicle,
  previousPriceCents: null,
  priceChangedAt: null,
  notes: null,
})

function countBy(ids: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1)
  return counts
}
