import { sql, type RawBuilder } from 'kysely'
import { searchTotalMax } from '#shared/limits.ts'
import { findsParts } from '#shared/search.ts'
import { containing, startingWord } from './like-patterns.ts'

/** `hits` finds all matches by index and sorts them. `first` scans only {@link firstMax} rows, so its page may be incomplete. */
export type Scan = 'hits' | 'first'

/** A `first` scan of this many rows takes no longer than counting to {@link searchTotalMax}. */
export const firstMax = 2_000

/** Searches that are too short for trigrams match only the beginnings of words, so that an index still works. */
export function containsText(text: RawBuilder<string>, search: string): RawBuilder<boolean> {
  return findsParts(search) || !/^[\p{L}\p{N}]/u.test(search)
    ? sql<boolean>`${text} ilike ${containing(search)}`
    : sql<boolean>`${text} ~* ${startingWord(search)}`
}

/**
 * Chooses the scan by the number of matches, because PostgreSQL's planner has no statistics on substrings. With many matches, the first
 * rows usually fill the page. An outdated number only makes the search slower; no row is lost.
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
