import Type, { type Static } from 'typebox'
import { Id, oneOf, Timestamp } from '#shared/values.ts'
import { postSorts } from './posts.ts'

/** POST /api/saved-searches: the feed's search as it stands. */
export const NewSavedSearch = Type.Object({
  search: Type.String({ minLength: 1, maxLength: 200 }),
  sort: oneOf(postSorts, { default: 'recent' }),
})
export type NewSavedSearch = Static<typeof NewSavedSearch>

/** GET /api/saved-searches: one's own, the newest first. */
export const SavedSearch = Type.Object({
  id: Id,
  search: Type.String(),
  sort: oneOf(postSorts),
  createdAt: Timestamp,
})
export type SavedSearch = Static<typeof SavedSearch>

/** GET /api/watchlist/ids: the posts on one's watchlist. */
export const WatchedIds = Type.Array(Id)
