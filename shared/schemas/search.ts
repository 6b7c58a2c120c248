import Type, { type Static } from 'typebox'
import { Nullable } from '#shared/values.ts'
import { Chat } from './messaging.ts'
import { Deal } from './deals.ts'
import { Dealer } from './dealers.ts'
import { Post, Vehicle } from './posts.ts'
import { searchMin, searchMax } from '#shared/constants/search.ts'

export const foundPerKind = 5

export const SearchQuery = Type.Object({ q: Type.String({ minLength: searchMin, maxLength: searchMax }) })

const { id, name, avatar, dealershipName, city, state } = Dealer.properties

const FoundChat = Type.Object({
  id: Chat.properties.id,
  other: Type.Object({ id, name, avatar, dealershipName }),
  unreadCount: Chat.properties.unreadCount,
})

const FoundPost = Type.Object({
  id: Post.properties.id,
  title: Post.properties.title,
  status: Post.properties.status,
  dealershipName,
  vehicleCount: Post.properties.vehicleCount,
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

/** The first few results of each kind. `postTotal` is the number of posts that the feed finds; 1001 means more than 1,000. */
export const Found = Type.Object({
  dealers: Type.Array(Type.Object({ id, name, avatar, dealershipName, city, state })),
  posts: Type.Array(FoundPost),
  postTotal: Type.Integer(),
  deals: Type.Array(FoundDeal),
  chats: Type.Array(FoundChat),
})
export type Found = Static<typeof Found>
