import { sql, type RawBuilder } from 'kysely'
import { searchTotalMax } from '#shared/limits.ts'
import { findsParts } from '#shared/search.ts'
import { containing, startingWord } from './like-patterns.ts'

/** `hits` finds all matches by index and sorts them. `first` scans only {@link firstMax} rows, so its page may miss matches. */
export type Scan = 'hits' | 'first'

/** A `first` scan of this many rows takes no longer than counting to {@link searchTotalMax}. */
export const firstMax = 2_000

/** Matches texts that contain `search`. A search too short for trigrams matches only beginnings of words, which an index can find. */
export function containsText(text: RawBuilder<string>, search: string): RawBuilder<boolean> {
  return findsParts(search) || !/^[\p{L}\p{N}]/u.test(search)
    ? sql<boolean>`${text} ilike ${containing(search)}`
    : sql<boolean>`${text} ~* ${startingWord(search)}`
}

/**
 * Lists a page. Chooses the scan by the number of matches, because PostgreSQL's planner has no statistics on substrings. If there are many
 * matches, the first rows usually fill the page. An outdated number only makes the search slower; it never hides a row.
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
