import { Comment } from './comments.ts'
import Type, { type Static } from 'typebox'
import {
  descriptionMax,
  feedMaxLimit,
  impressionsAtOnce,
  mileageMax,
  photosPerPost,
  titleMax,
  vehiclesPerPost,
  vinLength,
  yearMax,
  yearMin,
} from '#shared/limits.ts'
import { AuctionTerms } from './auctions.ts'
import { Dealer } from './dealers.ts'
import { Id, Nullable, oneOf, Timestamp } from '#shared/values.ts'
import { pictureAngles } from './uploads.ts'

/** Clients show an unknown status in upper case. */
export const postStatuses = ['active', 'sold', 'expired'] as const
export type PostStatus = (typeof postStatuses)[number]

export const postTypes = ['single', 'multiple', 'spreadsheet'] as const
export type PostType = (typeof postTypes)[number]

export const vehicleStatuses = ['available', 'pending', 'sold'] as const
export type VehicleStatus = (typeof vehicleStatuses)[number]

export const postSorts = ['recent', 'hottest', 'for-sale', 'auction-promo'] as const
export type PostSort = (typeof postSorts)[number]

const Url = Type.String({ minLength: 1, maxLength: 2_000 })

const Year = Type.Integer({ minimum: yearMin, maximum: yearMax })
const Mileage = Type.Integer({ minimum: 0, maximum: mileageMax })
const Price = Type.Number({ minimum: 0, maximum: 99_999_999, description: 'US dollars' })

/** `price` is in dollars with at most two decimals; `mileage` is in whole miles. */
export const NewVehicle = Type.Object({
  vin: Type.Optional(Type.String({ maxLength: vinLength })),
  year: Type.Optional(Year),
  make: Type.Optional(Type.String({ maxLength: 60 })),
  model: Type.Optional(Type.String({ maxLength: 80 })),
  trim: Type.Optional(Type.String({ maxLength: 80 })),
  mileage: Type.Optional(Mileage),
  price: Type.Optional(Price),
  city: Type.Optional(Type.String({ maxLength: 80 })),
  state: Type.Optional(Type.String({ maxLength: 2 })),
  color: Type.Optional(Type.String({ maxLength: 40 })),
  notes: Type.Optional(Type.String({ maxLength: 2_000 })),
  location: Type.Optional(Type.String({ maxLength: 160 })),
  atDealership: Type.Optional(Type.Boolean()),
  photos: Type.Optional(Type.Array(Url, { maxItems: photosPerPost })),
})
export type NewVehicle = Static<typeof NewVehicle>

const Count = Type.Integer({ minimum: 0 })

/** The preview of a spreadsheet link that the dealer saw: counts of vehicles, prices and VINs, and a key of the vehicles. */
export const SheetSeen = Type.Object({
  vehicles: Count,
  prices: Count,
  /** If absent, lost VINs are not detected. */
  vins: Type.Optional(Count),
  /** If absent, changes to individual vehicles are not detected. */
  vehiclesKey: Type.Optional(Type.String({ maxLength: 64 })),
})
export type SheetSeen = Static<typeof SheetSeen>

export const NewPost = Type.Object({
  dealerId: Type.Optional(Id),
  title: Type.String({ minLength: 1, maxLength: titleMax }),
  description: Type.Optional(Type.String({ maxLength: descriptionMax })),
  type: oneOf(postTypes),
  auctionFacilitator: Type.Optional(Type.String({ maxLength: 80 })),
  photoUrls: Type.Optional(Type.Array(Url, { maxItems: photosPerPost })),
  vehicles: Type.Optional(Type.Array(NewVehicle, { maxItems: vehiclesPerPost })),
  spreadsheetUrl: Type.Optional(Type.String({ maxLength: 2_000 })),
  /** The preview that the dealer saw, or zeros without a preview. If absent, the first import is published without approval. */
  sheetSeen: Type.Optional(SheetSeen),
  /** Starts an auction, which the title or description must mention. Not allowed for spreadsheet posts: their vehicles are unknown. */
  auction: Type.Optional(AuctionTerms),
})
export type NewPost = Static<typeof NewPost>

export const Vehicle = Type.Object({
  id: Id,
  vin: Nullable(Type.String()),
  year: Nullable(Type.Integer()),
  make: Nullable(Type.String()),
  model: Nullable(Type.String()),
  trim: Nullable(Type.String()),
  mileage: Nullable(Type.Integer()),
  price: Nullable(Type.Number({ description: 'US dollars' })),
  city: Nullable(Type.String()),
  state: Nullable(Type.String()),
  color: Nullable(Type.String()),
  notes: Nullable(Type.String()),
  location: Nullable(Type.String()),
  atDealership: Nullable(Type.Boolean()),
  status: oneOf(vehicleStatuses),
  /** The post's `photoUrls` also lists these photos, after the post's own photos. */
  photos: Type.Array(Type.String()),
})
export type Vehicle = Static<typeof Vehicle>

export const PhotoInfo = Type.Object({
  tint: Nullable(Type.String()),
  shows: Nullable(oneOf(pictureAngles)),
  /** Index of the photo's vehicle in the post; null for the post's own photos. */
  vehicle: Nullable(Type.Integer()),
  name: Type.String(),
})
export type PhotoInfo = Static<typeof PhotoInfo>

/** A post as the feed lists it. It is identical for every reader, so that it can be cached. */
export const Post = Type.Object({
  id: Id,
  title: Type.String(),
  description: Type.String(),
  type: oneOf(postTypes),
  status: oneOf(postStatuses),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  version: Type.Integer(),
  dealer: Dealer,
  /** JSON list of `{text}`, or plain text. Null while the summary is generated. */
  aiSummary: Nullable(Type.String()),
  spreadsheetUrl: Nullable(Type.String()),
  vehicleCount: Type.Integer(),
  availableCount: Type.Integer(),
  viewCount: Type.Integer(),
  commentCount: Type.Integer(),
  likeCount: Type.Integer(),
  infoCount: Type.Integer(),
  bidCount: Type.Integer(),
  auctionFacilitator: Nullable(Type.String()),
  isAuction: Type.Boolean(),
  hasAuction: Type.Boolean(),
  photoUrls: Type.Array(Type.String()),
  photoInfo: Type.Optional(Type.Array(PhotoInfo)),
  /** The feed sends only the first vehicle; GET of a single post sends all vehicles. */
  vehicles: Type.Array(Vehicle),
  /** True if a moderator has hidden the post. Only the seller still receives a hidden post. */
  hidden: Type.Optional(Type.Boolean()),
})
export type Post = Static<typeof Post>

export const PostDetail = Type.Object({
  ...Post.properties,
  comments: Type.Array(Comment),
  earlierComments: Nullable(Type.String()),
})
export type PostDetail = Static<typeof PostDetail>

/**
 * The search matches whole words in any form, states by code or name, and parts of words from three characters. Posts with a
 * one-letter typo in a word of five letters or more come last. In a search, an `X-Total-Count` of 1001 means more than 1,000.
 */
export const FeedQuery = Type.Object({
  search: Type.Optional(Type.String({ maxLength: 200 })),
  sort: oneOf(postSorts, { default: 'recent' }),
  dealerId: Type.Optional(Id),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: feedMaxLimit })),
  cursor: Type.Optional(Type.String({ maxLength: 500 })),
})
export type FeedQuery = Static<typeof FeedQuery>

/** Without `id`, a vehicle is new. Absent `status` and `photos` stay unchanged. Other absent fields are cleared, unless all are absent. */
export const EditedVehicle = Type.Object({
  ...NewVehicle.properties,
  id: Type.Optional(Id),
  status: Type.Optional(oneOf(vehicleStatuses)),
})
export type EditedVehicle = Static<typeof EditedVehicle>

/** Absent fields stay unchanged; null clears a field. Send the photos from before the edit as `photosRead` to keep concurrent edits. */
export const VehicleChange = Type.Object({
  ...EditedVehicle.properties,
  id: Id,
  photosRead: Type.Optional(Type.Array(Url, { maxItems: photosPerPost })),
  year: Type.Optional(Nullable(Year)),
  mileage: Type.Optional(Nullable(Mileage)),
  price: Type.Optional(Nullable(Price)),
})
export type VehicleChange = Static<typeof VehicleChange>

/** Vehicles that are not listed stay unchanged, so that concurrent edits are kept. Returns 409 if a changed vehicle no longer exists. */
export const VehicleChanges = Type.Object({
  changed: Type.Optional(Type.Array(VehicleChange, { maxItems: vehiclesPerPost })),
  /** Appended after the existing vehicles. */
  added: Type.Optional(
    Type.Array(Type.Object({ ...NewVehicle.properties, status: EditedVehicle.properties.status }), {
      maxItems: vehiclesPerPost,
    }),
  ),
  removed: Type.Optional(Type.Array(Id, { maxItems: vehiclesPerPost })),
})
export type VehicleChanges = Static<typeof VehicleChanges>

/**
 * Absent fields stay unchanged. `vehicles`, `photoUrls` (the post's own photos) and a vehicle's `photos` are complete new lists;
 * `vehicleChanges` changes individual vehicles. Send `photoUrls` from before the edit as `photoUrlsRead` to keep concurrent edits.
 */
export const PostPatch = Type.Object(
  {
    title: Type.Optional(Type.String({ minLength: 1, maxLength: titleMax })),
    description: Type.Optional(Type.String({ maxLength: descriptionMax })),
    auctionFacilitator: Type.Optional(Type.String({ maxLength: 80 })),
    photoUrls: Type.Optional(Type.Array(Url, { maxItems: photosPerPost })),
    photoUrlsRead: Type.Optional(Type.Array(Url, { maxItems: photosPerPost })),
    vehicles: Type.Optional(Type.Array(EditedVehicle, { maxItems: vehiclesPerPost })),
    vehicleChanges: Type.Optional(VehicleChanges),
    status: Type.Optional(oneOf(postStatuses)),
    vehicle: Type.Optional(Type.Object({ id: Id, status: oneOf(vehicleStatuses) })),
    auction: Type.Optional(AuctionTerms),
    endAuction: Type.Optional(
      Type.Boolean({
        description:
          'Confirms a change that ends the open auction of the post. Without it the answer is a 409 whose `details.code` is ENDS_AUCTION',
      }),
    ),
  },
  { minProperties: 1 },
)
export type PostPatch = Static<typeof PostPatch>

export const PostDeletion = Type.Object({ endAuction: PostPatch.properties.endAuction })

/** `details` of the 409 response to a change that would end an auction without bids. To confirm, resend it with `endAuction: true`. */
export const EndsAuction = Type.Object({ code: Type.Literal('ENDS_AUCTION') })
export type EndsAuction = Static<typeof EndsAuction>

/** How far the price is from the average of `count` comparable vehicles of `dealers` other dealers, in percent. Negative means cheaper. */
export const MarketPosition = Type.Object({
  vehicleId: Id,
  name: Type.String(),
  percent: Type.Number(),
  count: Type.Integer(),
  dealers: Type.Integer(),
})
export type MarketPosition = Static<typeof MarketPosition>

export const Impressions = Type.Object({ postIds: Type.Array(Id, { minItems: 1, maxItems: impressionsAtOnce }) })
export type Impressions = Static<typeof Impressions>

export const reactionKinds = ['like', 'info'] as const
export type ReactionKind = (typeof reactionKinds)[number]

export const OwnReactions = Type.Object({ like: Type.Array(Id), info: Type.Array(Id) })
export type OwnReactions = Static<typeof OwnReactions>
