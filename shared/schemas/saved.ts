import Type, { type Static } from 'typebox'
import { findQueryMax } from '#shared/find-query.ts'
import { Id, Nullable, oneOf, Timestamp } from '#shared/values.ts'
import { postSorts } from './posts.ts'

const searchKinds = ['feed', 'find'] as const

/** A search of the feed (`search`, `sort`) or, if `kind` is `find`, the query string of /find (`query`). */
export const NewSavedSearch = Type.Object({
  kind: Type.Optional(oneOf(searchKinds, { default: 'feed' })),
  search: Type.Optional(Type.String({ maxLength: 200 })),
  sort: Type.Optional(oneOf(postSorts, { default: 'recent' })),
  query: Type.Optional(Type.String({ maxLength: findQueryMax, description: 'The query string of /find' })),
})
export type NewSavedSearch = Static<typeof NewSavedSearch>

export const SavedSearch = Type.Object({
  id: Id,
  kind: oneOf(searchKinds),
  /** If `kind` is `find`, a description of the search. */
  search: Type.String(),
  sort: oneOf(postSorts),
  query: Nullable(Type.String()),
  createdAt: Timestamp,
})
export type SavedSearch = Static<typeof SavedSearch>

export const WatchedIds = Type.Array(Id)
