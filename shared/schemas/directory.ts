import Type, { type Static } from 'typebox'
import { dealershipTypes } from '#shared/places.ts'
import { directoryMaxLimit } from '#shared/limits.ts'
import { Relation } from './connections.ts'
import { Dealer, Nullable, oneOf } from './dealers.ts'

/** all: /dealers. mine: /my-dealers. discover: /discover, those not connected yet. */
const directoryViews = ['all', 'mine', 'discover'] as const
export type DirectoryView = (typeof directoryViews)[number]

/**
 * GET /api/dealers (spec B §7). A filter that is empty or `all` is no filter. Without `limit` the server sends as many as
 * it sends at most; `cursor` comes from the Link header. A name finds parts of names, dealerships and cities; with fewer than
 * three letters or digits in a row it finds the beginnings of their words. `X-Total-Count` is exact, but of a search counted
 * up to 1,000: 1001 stands for more.
 */
export const DirectoryQuery = Type.Object({
  name: Type.Optional(Type.String({ maxLength: 120 })),
  state: Type.Optional(Type.String({ maxLength: 3 })),
  dealershipType: Type.Optional(oneOf([...dealershipTypes, 'all', ''])),
  buysCanadian: Type.Optional(oneOf(['yes', 'no', 'true', 'false', 'all', ''])),
  view: oneOf(directoryViews, { default: 'all' }),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: directoryMaxLimit })),
  cursor: Type.Optional(Type.String({ maxLength: 500 })),
})
export type DirectoryQuery = Static<typeof DirectoryQuery>

/** A row of the directory: the dealer, and how they stand to the caller. */
export const DirectoryDealer = Type.Object({
  ...Dealer.properties,
  ...Relation.properties,
  /** Has sold or bought a vehicle that stood in Canada; only for badges. */
  previousCanadian: Nullable(oneOf(['seller', 'buyer', 'both'])),
})
export type DirectoryDealer = Static<typeof DirectoryDealer>

/** GET /api/dealers/activity: "My Vehicle Activity" of the caller. */
export const VehicleActivity = Type.Object({
  activeListings: Type.Integer(),
  soldThisMonth: Type.Integer(),
  pending: Type.Integer(),
  watching: Type.Integer(),
  bought: Type.Integer(),
  fromCanada: Type.Integer(),
  /** Null before the first completed deal. */
  averageDaysToClose: Nullable(Type.Number()),
})
export type VehicleActivity = Static<typeof VehicleActivity>
