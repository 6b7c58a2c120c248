import Type, { type Static } from 'typebox'
import { findQueryMax } from '#shared/find-query.ts'
import { Id, Nullable, oneOf, Timestamp } from '#shared/values.ts'
import { postSorts } from './posts.ts'

const searchKinds = ['feed', 'find'] as const

/** POST /api/saved-searches: the feed's search as it stands, or with `kind: 'find'` that of /find, `query` as its address says it. */
export const NewSavedSearch = Type.Object({
  kind: Type.Optional(oneOf(searchKinds, { default: 'feed' })),
  search: Type.Optional(Type.String({ maxLength: 200 })),
  sort: Type.Optional(oneOf(postSorts, { default: 'recent' })),
  query: Type.Optional(Type.String({ maxLength: findQueryMax, description: 'The query string of /find' })),
})
export type NewSavedSearch = Static<typeof NewSavedSearch>

/** GET /api/saved-searches: one's own, the newest first. */
export const SavedSearch = Type.Object({
  id: Id,
  kind: oneOf(searchKinds),
  /** Of `find`: what it looks for, in words. */
  search: Type.String(),
  sort: oneOf(postSorts),
  /** Of `find`: what stands behind the `?` of /find. */
  query: Nullable(Type.String()),
  createdAt: Timestamp,
})
export type SavedSearch = Static<typeof SavedSearch>

/** GET /api/watchlist/ids: the posts on one's watchlist. */
export const WatchedIds = Type.Array(Id)
