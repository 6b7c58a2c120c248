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
import { postTypes, vehicleStatuses } from '#shared/constants/posts.ts'

/** Clients show a status that they do not know in uppercase. */
export const postStatuses = ['active', 'sold', 'expired'] as const
export type PostStatus = (typeof postStatuses)[number]
export type PostType = (typeof postTypes)[number]
export type VehicleStatus = (typeof vehicleStatuses)[number]

export const postSorts = ['recent', 'hottest', 'for-sale', 'auction-promo'] as const
export type PostSort = (typeof postSorts)[number]

const Url = Type.String({ minLength: 1, maxLength: 2_000 })

const Year = Type.Integer({ minimum: yearMin, maximum: yearMax })
const Mileage = Type.Integer({ minimum: 0, maximum: mileageMax })
const Price = Type.Number({ minimum: 0, maximum: 99_999_999, description: 'US dollars' })

/** `price` is in dollars with at most two decimals, and `mileage` in whole miles. */
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

/** The preview of a spreadsheet link that the dealer saw: its numbers of vehicles, prices and VINs, and a key of its vehicles. */
export const SheetSeen = Type.Object({
  vehicles: Count,
  prices: Count,
  /** If omitted, lost VINs are not detected. */
  vins: Type.Optional(Count),
  /** If omitted, changes to individual vehicles are not detected. */
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
  /** The preview that the dealer saw, or zeros if there was none. If omitted, the first import is published without approval. */
  sheetSeen: Type.Optional(SheetSeen),
  /** Starts an auction. The title or description must mention it. Not allowed in spreadsheet posts, whose vehicles are not known yet. */
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
  /** The post's `photoUrls` also contains these photos, after the post's own photos. */
  photos: Type.Array(Type.String()),
})
export type Vehicle = Static<typeof Vehicle>

export const PhotoInfo = Type.Object({
  tint: Nullable(Type.String()),
  shows: Nullable(oneOf(pictureAngles)),
  /** Index of the photo's vehicle in the post. Null for the post's own photos. */
  vehicle: Nullable(Type.Integer()),
  name: Type.String(),
})
export type PhotoInfo = Static<typeof PhotoInfo>

/** A post in the feed. It is the same for every reader, so that it can be cached. */
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
  /** JSON list of `{text}`, or plain text. Null until the summary has been generated. */
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
  /** In the feed, only the first vehicle. In GET of a single post, all vehicles. */
  vehicles: Type.Array(Vehicle),
  /** True if a moderator has hidden the post. Then only its seller still receives it. */
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
 * The search matches whole words in any form, states by code or name, and parts of words from three characters. Posts that match only
 * with a one-letter typo (in a word of five letters or more) come last. In a search, an `X-Total-Count` of 1001 means more than 1,000.
 */
export const FeedQuery = Type.Object({
  search: Type.Optional(Type.String({ maxLength: 200 })),
  sort: oneOf(postSorts, { default: 'recent' }),
  dealerId: Type.Optional(Id),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: feedMaxLimit })),
  cursor: Type.Optional(Type.String({ maxLength: 500 })),
})
export type FeedQuery = Static<typeof FeedQuery>

/** New if it has no `id`. Omitted `status` and `photos` stay unchanged. Other omitted fields are cleared, unless all are omitted. */
export const EditedVehicle = Type.Object({
  ...NewVehicle.properties,
  id: Type.Optional(Id),
  status: Type.Optional(oneOf(vehicleStatuses)),
})
export type EditedVehicle = Static<typeof EditedVehicle>

/** Omitted fields stay unchanged; null clears a field. To keep others' photo changes, send the photos that you loaded as `photosRead`. */
export const VehicleChange = Type.Object({
  ...EditedVehicle.properties,
  id: Id,
  photosRead: Type.Optional(Type.Array(Url, { maxItems: photosPerPost })),
  year: Type.Optional(Nullable(Year)),
  mileage: Type.Optional(Nullable(Mileage)),
  price: Type.Optional(Nullable(Price)),
})
export type VehicleChange = Static<typeof VehicleChange>

/** Vehicles that are not listed stay unchanged, which keeps others' edits. Returns 409 if a changed vehicle no longer exists. */
export const VehicleChanges = Type.Object({
  changed: Type.Optional(Type.Array(VehicleChange, { maxItems: vehiclesPerPost })),
  /** These vehicles are appended after the existing ones. */
  added: Type.Optional(
    Type.Array(Type.Object({ ...NewVehicle.properties, status: EditedVehicle.properties.status }), {
      maxItems: vehiclesPerPost,
    }),
  ),
  removed: Type.Optional(Type.Array(Id, { maxItems: vehiclesPerPost })),
})
export type VehicleChanges = Static<typeof VehicleChanges>

/**
 * Omitted fields stay unchanged. `vehicles`, `photoUrls` (the post's own photos) and a vehicle's `photos` replace the whole list;
 * `vehicleChanges` changes individual vehicles. To keep others' photo changes, send the `photoUrls` you loaded as `photoUrlsRead`.
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

/** `details` of the 409 response if the change would end an auction without bids. To confirm, resend it with `endAuction: true`. */
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
