import { sql, type RawBuilder } from 'kysely'
import { searchTotalMax } from '#shared/limits.ts'
import { findsParts } from '#shared/search.ts'
import { containing, startingWord } from './like-patterns.ts'

/** `hits`: finds all matches by index, then sorts. `first`: scans only {@link firstMax} rows; may be incomplete. */
export type Scan = 'hits' | 'first'

/** Scanning this many rows takes no longer than counting to {@link searchTotalMax}. */
export const firstMax = 2_000

/**
 * SQL condition: the text contains the search. A search too short for trigrams matches the beginnings of words, so that
 * the index still works. A search that begins with a symbol matches anywhere.
 */
export function containsText(text: RawBuilder<string>, search: string): RawBuilder<boolean> {
  return findsParts(search) || !/^[\p{L}\p{N}]/u.test(search)
    ? sql<boolean>`${text} ilike ${containing(search)}`
    : sql<boolean>`${text} ~* ${startingWord(search)}`
}

/**
 * Finds a page of a search by the fastest scan. Few matches: fetch all by index and sort. Many: the first rows in order
 * usually fill the page. The planner has no statistics on substrings, so the count decides. A stale count costs time,
 * never a row.
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
