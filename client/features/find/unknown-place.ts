import type { FindQuery } from '#shared/find-query.ts'
import type { FindPlace } from '#shared/schemas/find.ts'

/** True if the server does not know the postal code. `place` may come from a response for the previous code. */
export const isUnknown = (place: FindPlace | null | undefined, { near }: Pick<FindQuery, 'near'>): boolean =>
  place?.known === false && place.code === near
