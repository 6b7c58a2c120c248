import type { FindQuery } from '#shared/find-query.ts'
import type { FindPlace } from '#shared/schemas/find.ts'

/** Nobody knows the code that is asked for: no distance is applied, and none is known. @param place of an answer, which may be the one before */
export const isUnknown = (place: FindPlace | null | undefined, { near }: Pick<FindQuery, 'near'>): boolean =>
  place?.known === false && place.code === near
