import { sql, type Selectable } from 'kysely'
import type { PhotoInfo, Post, Vehicle } from '#shared/schemas/posts.ts'
import type { Dealer } from '#shared/schemas/dealers.ts'
import type { Objects, Photos, Posts, Vehicles } from '#server/db/schema.ts'
import { dollarsOf } from '#server/platform/money.ts'

export const postColumns = [
  'posts.id',
  'posts.dealerId',
  'posts.title',
  'posts.description',
  'posts.type',
  'posts.status',
  'posts.createdAt',
  'posts.updatedAt',
  'posts.version',
  'posts.aiSummary',
  'posts.spreadsheetUrl',
  'posts.vehicleCount',
  'posts.availableCount',
  'posts.viewCount',
  'posts.commentCount',
  'posts.likeCount',
  'posts.infoCount',
  'posts.bidCount',
  'posts.auctionFacilitator',
  'posts.isAuction',
] as const

type Column<Name> = Name extends `posts.${infer Own extends keyof Posts}` ? Own : never

type RowOf<Columns extends readonly string[]> = Pick<Selectable<Posts>, Column<Columns[number]>>

/** False if the only vehicle that could be for sale is the first, and its auction is open or undecided. */
export const isForSale = (post: 'posts' | 'p') => {
  const id = sql.raw(`${post}.id`)
  return sql<boolean>`(not exists (select from auctions where auctions.post_id = ${id} and auctions.status in ('open', 'deciding'))
    or exists (select from vehicles v where v.post_id = ${id} and v.status = 'available' and v.position > (
      select min(position) from vehicles where vehicles.post_id = ${id})))`
}

export const hasAuction = sql<boolean>`exists (select from auctions where auctions.post_id = posts.id)`.as('hasAuction')

type PostRow = Omit<RowOf<typeof postColumns>, 'dealerId'> & { hasAuction: boolean }

export type VehicleRow = Selectable<Vehicles>

export type PhotoRow = Pick<Selectable<Photos>, 'url' | 'vehicleId'> &
  Pick<Selectable<Objects>, 'tint' | 'shows'> & { vehiclePlace: number | null; vehicleName: string }

const toPhotoInfo = ({ tint, shows, vehiclePlace, vehicleName }: PhotoRow): PhotoInfo => ({
  tint,
  shows,
  vehicle: vehiclePlace,
  name: vehicleName,
})

function toVehicle(row: VehicleRow, photos: readonly PhotoRow[]): Vehicle {
  return {
    id: row.id,
    vin: row.vin,
    year: row.year,
    make: row.make,
    model: row.model,
    trim: row.trim,
    mileage: row.mileage,
    price: row.priceCents === null ? null : dollarsOf(row.priceCents),
    city: row.city,
    state: row.state,
    color: row.color,
    notes: row.notes,
    location: row.location,
    atDealership: row.atDealership,
    status: row.status,
    photos: photos.flatMap(({ url, vehicleId }) => (vehicleId === row.id ? url : [])),
  }
}

export function toPost(row: PostRow, dealer: Dealer, photos: readonly PhotoRow[], vehicles: VehicleRow[]): Post {
  return {
    id: row.id,
    title: row.title,
    description: row.description,
    type: row.type,
    status: row.status,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    version: row.version,
    dealer,
    aiSummary: row.aiSummary,
    spreadsheetUrl: row.spreadsheetUrl,
    vehicleCount: row.vehicleCount,
    availableCount: row.availableCount,
    viewCount: row.viewCount,
    commentCount: row.commentCount,
    likeCount: row.likeCount,
    infoCount: row.infoCount,
    bidCount: row.bidCount,
    auctionFacilitator: row.auctionFacilitator,
    isAuction: row.isAuction ?? false,
    hasAuction: row.hasAuction,
    photoUrls: photos.map(({ url }) => url),
    photoInfo: photos.map(toPhotoInfo),
    vehicles: vehicles.map((vehicle) => toVehicle(vehicle, photos)),
  }
}
