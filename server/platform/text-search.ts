import { sql, type RawBuilder } from 'kysely'
import { searchTotalMax } from '#shared/limits.ts'
import { findsParts } from '#shared/search.ts'
import { containing, startingWord } from './like.ts'

/**
 * How a search goes about its page. `hits`: all that it finds, by its index, and then sorted. `first`: through the first
 * {@link firstMax} rows in order and no further, so that what is found may be incomplete.
 */
export type Scan = 'hits' | 'first'

/** Looking through so many takes no longer than counting to {@link searchTotalMax}. */
export const firstMax = 2_000

/**
 * Whether a text, as its trigram index has it, holds what is searched for. What is too short for parts of words finds
 * their beginnings, so that the index still serves; what begins with a sign is found wherever that sign stands.
 */
export function holds(text: RawBuilder<string>, search: string): RawBuilder<boolean> {
  return findsParts(search) || !/^[\p{L}\p{N}]/u.test(search)
    ? sql<boolean>`${text} ilike ${containing(search)}`
    : sql<boolean>`${text} ~* ${startingWord(search)}`
}

/**
 * A page of a search, by how many it finds. Few are fetched by their index and sorted; of many the first in order most often
 * fill the page. Which it is the planner cannot know, having no figures about parts of words: it is told. An old number
 * costs time, never a row.
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
