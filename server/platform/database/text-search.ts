import { sql, type RawBuilder } from 'kysely'
import { searchTotalMax } from '#shared/limits.ts'
import { findsParts } from '#shared/search.ts'
import { containing, startingWord } from './like-patterns.ts'

/**
 * `hits` finds all matches by index and then sorts them. `first` scans only the first {@link firstMax} rows, so its page may be incomplete.
 */
export type Scan = 'hits' | 'first'

/** A `first` scan of this many rows takes no longer than counting to {@link searchTotalMax}. */
export const firstMax = 2_000

/**
 * Returns an SQL condition that is true if the text contains the search. A search that is too short for trigrams matches only the
 * beginnings of words, so that the index still works. A search that begins with a symbol matches anywhere.
 */
export function containsText(text: RawBuilder<string>, search: string): RawBuilder<boolean> {
  return findsParts(search) || !/^[\p{L}\p{N}]/u.test(search)
    ? sql<boolean>`${text} ilike ${containing(search)}`
    : sql<boolean>`${text} ~* ${startingWord(search)}`
}

/**
 * Finds a page of search results with the faster scan. With few matches, fetching all of them by index and sorting them is faster.
 * With many, the first rows usually fill the page. The number of matches decides, because the planner has no statistics on substrings.
 * An outdated number only makes the search slower; no row is lost.
 */
export async function searchPage<Page>(
  counting: Promise<number>,
  list: (scan: Scan) => Promise<Page>,
  isFull: (page: Page) => boolean,
): Promise<Page> {
  if ((await counting) > searchTotalMax) {
    const page = await list('first')
    if (isFull(page)) return page
  }
  return list('hits')
}
