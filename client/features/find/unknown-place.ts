import type { FindQuery } from '#shared/find-query.ts'
import type { FindPlace } from '#shared/schemas/find.ts'

/**
 * True if the server does not know the ZIP or postal code, so no distance applies.
 * @param place from a response, which may belong to the previous code
 */
export const isUnknown = (place: FindPlace | null | undefined, { near }: Pick<FindQuery, 'near'>): boolean =>
  place?.known === false && place.code === near
