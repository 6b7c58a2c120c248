import { sql } from 'kysely'
import { searchTotalMax } from '#shared/limits.ts'
import type { PostSort } from '#shared/schemas/posts.ts'
import type { Db } from '#server/platform/database/db.ts'
import { containingTrigram } from '#server/platform/database/like-patterns.ts'
import { isForSale } from '../posts.rows.ts'
import { asIndexed, isNear, wordsOf } from './search-words.ts'

/** `hits` finds all matches through the search indexes. `newest` checks only the newest posts, so it may miss matches. */
export type Scan = 'hits' | 'newest'

/** Checking this many posts takes no longer than counting to {@link searchTotalMax}. */
const newestMax = 2_000

export interface FeedRequest {
  search: string
  sort: PostSort
  limit: number
  cursor: string | undefined
  scan?: Scan
  dealerId?: string | undefined
  watchedBy?: string | undefined
  /** Query for similar words ({@link findNear}). If set, returns only posts that the search itself does not match. */
  near?: string | undefined
}

const hasOpenAuction = sql<boolean>`exists (select from auctions where auctions.post_id = posts.id and auctions.status = 'open')`

type Wanted = Omit<FeedRequest, 'limit' | 'cursor' | 'scan'>

function visible(db: Db, { sort, dealerId, watchedBy }: Wanted) {
  let query = db.selectFrom('posts').where('posts.deletedAt', 'is', null).where('posts.hiddenAt', 'is', null)
  if (dealerId !== undefined) query = query.where('posts.dealerId', '=', dealerId)
  if (watchedBy !== undefined)
    query = query.where(
      'posts.id',
      'in',
      db.selectFrom('watches').select('postId').where('watches.dealerId', '=', watchedBy),
    )
  if (sort === 'for-sale') query = query.where('posts.status', '=', 'active').where(isForSale('posts'))
  if (sort === 'auction-promo') query = query.where(hasOpenAuction)
  return query
}

/** Returns the conditions for a match by words, or by a substring that is long enough for the trigram index. */
function foundBy({ search, near }: Wanted) {
  const pattern = containingTrigram(search.toLowerCase())
  const words = sql<boolean>`posts.search @@ search_query(${asIndexed(search)})`
  const part = pattern === undefined ? sql<boolean>`false` : sql<boolean>`posts.search_text like ${pattern}`
  if (near === undefined) return { words, part }
  return {
    words: sql<boolean>`(posts.search @@ ${near}::tsquery and not ${words} and not ${part})`,
    part: sql<boolean>`false`,
  }
}

/** Returns a query for indexed words one letter off from a search word. Undefined if there are none or the search uses operators. */
export async function findNear(db: Db, search: string): Promise<string | undefined> {
  const words = wordsOf(search)
  if (!words.some(({ forgiven }) => forgiven)) return undefined
  const { rows } = await sql<{ no: number; exact: string; forms: string[]; near: string[] | null }>`
    with asked as (
      select no, search_query(word)::text as exact,
        array[lower(word), substring(search_query(word)::text from '^''([a-z]{4,})''$')] as forms
      from unnest(${words.map(({ word }) => word)}::text[]) with ordinality as words (word, no)
    )
    select asked.no::int as no, asked.exact, asked.forms, found.near from asked left join lateral (
      -- One wrong letter leaves the first or the second half of a word as it is: either is looked up in the index.
      select array_agg(distinct known.word) as near from unnest(asked.forms) form
      join search_words known on known.word like left(form, length(form) / 2) || '%'
        or known.word like '%' || substr(form, length(form) / 2 + 1)
    ) found on asked.forms[2] is not null
    order by asked.no`.execute(db)
  let isForgiven = false
  const parts = rows.flatMap(({ no, exact, forms, near }) => {
    if (exact === '') return []
    const meant = words[no - 1]?.forgiven ? (near ?? []).filter((word) => isNear(word, forms)) : []
    isForgiven ||= meant.length > 0
    return [`(${[exact, ...meant.map((word) => `'${word}'`)].join(' | ')})`]
  })
  return isForgiven ? parts.join(' & ') : undefined
}

const keysOf = (query: ReturnType<typeof visible>) => query.select(['posts.id', 'posts.createdAt', 'posts.heat'])

function hits(db: Db, wanted: Wanted) {
  const { words, part } = foundBy(wanted)
  const keys = keysOf(visible(db, wanted))
  return keys.where(words).unionAll(keys.where(part).where(sql<boolean>`not (${words})`))
}

/** Applies the search as a filter during a scan in sort order. `is true` prevents PostgreSQL from using the search indexes. */
function filtered(db: Db, wanted: Wanted) {
  const { words, part } = foundBy(wanted)
  return keysOf(visible(db, wanted).where(sql<boolean>`(${words} or ${part}) is true`))
}

function filteredNewest(db: Db, wanted: Wanted) {
  const { words, part } = foundBy(wanted)
  const newest = keysOf(visible(db, wanted))
    .select(['posts.search', 'posts.searchText'])
    .orderBy(wanted.sort === 'hottest' ? 'posts.heat' : 'posts.createdAt', 'desc')
    .orderBy('posts.id', 'desc')
    .limit(newestMax)
  return db
    .selectFrom(newest.as('posts'))
    .select(['posts.id', 'posts.createdAt', 'posts.heat'])
    .where(sql<boolean>`(${words} or ${part})`)
}

/** PostgreSQL has no statistics on substrings, so the caller chooses: `hits` is faster for few matches, a scan in sort order for many. */
export function candidates(db: Db, request: FeedRequest) {
  if (request.scan === 'hits')
    return db.with(
      (cte) => cte('found').materialized(),
      () => hits(db, request),
    )
  if (request.scan === 'newest')
    return db.with(
      (cte) => cte('found').notMaterialized(),
      () => filteredNewest(db, request),
    )
  return db.with(
    (cte) => cte('found').notMaterialized(),
    () => (request.search === '' ? keysOf(visible(db, request)) : filtered(db, request)),
  )
}

/** Counts the posts. Except for auctions, a search counts at most {@link searchTotalMax} + 1. */
export async function countFeed(db: Db, wanted: Wanted): Promise<number> {
  const { count } = await db
    .selectFrom(countable(db, wanted).as('found'))
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

function countable(db: Db, wanted: Wanted) {
  if (wanted.search === '') return keysOf(visible(db, wanted))
  // A scan is fast, because few auctions are open at a time.
  if (wanted.sort === 'auction-promo') return filtered(db, wanted)
  return hits(db, wanted).limit(searchTotalMax + 1)
}
