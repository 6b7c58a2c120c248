import Type, { type Static } from 'typebox'
import { Nullable } from '#shared/values.ts'
import { Chat } from './messaging.ts'
import { Deal } from './deals.ts'
import { Dealer } from './dealers.ts'
import { Post, Vehicle } from './posts.ts'

/** Of each kind, most that one answer lists. */
export const foundPerKind = 5
/** From so many characters on there is something to look for. */
export const searchMin = 2
export const searchMax = 200

/** GET /api/search: what was typed so far. */
export const SearchQuery = Type.Object({ q: Type.String({ minLength: searchMin, maxLength: searchMax }) })

const { id, name, avatar, dealershipName, city, state } = Dealer.properties

/** Who one writes with: their chat's id leads there. */
const FoundChat = Type.Object({
  id: Chat.properties.id,
  other: Type.Object({ id, name, avatar, dealershipName }),
  unreadCount: Chat.properties.unreadCount,
})

const FoundPost = Type.Object({
  id: Post.properties.id,
  title: Post.properties.title,
  status: Post.properties.status,
  /** Of the seller. */
  dealershipName,
  vehicleCount: Post.properties.vehicleCount,
  /** Of the first vehicle; null where there is none, or it has none. */
  price: Vehicle.properties.price,
  photo: Nullable(Type.String()),
})

const FoundDeal = Type.Object({
  id: Deal.properties.id,
  status: Deal.properties.status,
  year: Deal.properties.year,
  make: Deal.properties.make,
  model: Deal.properties.model,
  price: Deal.properties.price,
  buyer: Deal.properties.buyer,
  seller: Deal.properties.seller,
})

/**
 * What the caller may see of each kind, the first few: dealers of the directory, posts of the feed, the caller's own deals and
 * chats. `postTotal` counts all the posts that the feed would find, up to 1,000: 1001 stands for more.
 */
export const Found = Type.Object({
  dealers: Type.Array(Type.Object({ id, name, avatar, dealershipName, city, state })),
  posts: Type.Array(FoundPost),
  postTotal: Type.Integer(),
  deals: Type.Array(FoundDeal),
  chats: Type.Array(FoundChat),
})
export type Found = Static<typeof Found>
