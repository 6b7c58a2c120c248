import type { FindQuery } from '#shared/find-query.ts'
import type { FindPlace } from '#shared/schemas/find.ts'

/**
 * True if the code is unknown, so no distance applies.
 * @param place from a response, possibly for the previous code
 */
export const isUnknown = (place: FindPlace | null | undefined, { near }: Pick<FindQuery, 'near'>): boolean =>
  place?.known === false && place.code === near
