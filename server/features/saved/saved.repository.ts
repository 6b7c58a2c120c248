import { sql } from 'kysely'
import type { Selectable } from 'kysely'
import { findSearch, readFind, type FindParams } from '#shared/find-query.ts'
import type { PostSort } from '#shared/schemas/posts.ts'
import type { SavedSearch } from '#shared/schemas/saved.ts'
import type { SavedSearches } from '#server/db/schema.ts'
import { asIndexed } from '#server/features/posts/feed/search-words.ts'
import { isForSale } from '#server/features/posts/posts.rows.ts'
import type { Db, Tx } from '#server/platform/database/db.ts'
import { containingTrigram } from '#server/platform/database/like-patterns.ts'

const columns = ['id', 'kind', 'search', 'sort', 'findQuery', 'createdAt'] as const
/** Columns that identify a search, so that saving the same search again does not duplicate it. */
const sameWords = ['dealerId', 'kind', 'search', 'sort'] as const

const toSaved = ({
  findQuery,
  createdAt,
  ...row
}: Pick<Selectable<SavedSearches>, (typeof columns)[number]>): SavedSearch => ({
  ...row,
  query: findQuery === null ? null : findSearch(readFind(findQuery)),
  createdAt: createdAt.toISOString(),
})

export async function listSavedSearches(db: Db, dealerId: string): Promise<SavedSearch[]> {
  const rows = await db
    .selectFrom('savedSearches')
    .select(columns)
    .where('dealerId', '=', dealerId)
    .orderBy('createdAt', 'desc')
    .execute()
  return rows.map(toSaved)
}

export async function countSavedSearches(db: Db, dealerId: string): Promise<number> {
  const { count } = await db
    .selectFrom('savedSearches')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('dealerId', '=', dealerId)
    .executeTakeFirstOrThrow()
  return count
}

/** `pattern` is for a substring search and null if the text is too short for one; `meant` is for a full-text search. */
export async function upsertSavedSearch(
  tx: Tx,
  dealerId: string,
  { search, sort }: { search: string; sort: PostSort },
): Promise<SavedSearch> {
  const found = {
    pattern: containingTrigram(search.toLowerCase()) ?? null,
    meant: sql<string>`search_query(${asIndexed(search)})`,
  }
  const row = await tx
    .insertInto('savedSearches')
    .values({ dealerId, search, sort, ...found })
    .onConflict((conflict) => conflict.columns(sameWords).doUpdateSet(found))
    .returning(columns)
    .executeTakeFirstOrThrow()
  return toSaved(row)
}

/** `search` describes the search in words and identifies it. */
export async function upsertFindSearch(
  tx: Tx,
  dealerId: string,
  { search, params }: { search: string; params: FindParams },
): Promise<SavedSearch> {
  const find = { kind: 'find', findQuery: JSON.stringify(params), pattern: null } as const
  const row = await tx
    .insertInto('savedSearches')
    .values({ dealerId, search, sort: 'recent', ...find })
    .onConflict((conflict) => conflict.columns(sameWords).doUpdateSet(find))
    .returning(columns)
    .executeTakeFirstOrThrow()
  return toSaved(row)
}

export async function removeSavedSearch(tx: Tx, dealerId: string, id: string): Promise<boolean> {
  const result = await tx
    .deleteFrom('savedSearches')
    .where('id', '=', id)
    .where('dealerId', '=', dealerId)
    .executeTakeFirst()
  return result.numDeletedRows > 0n
}

export async function removeSaved(tx: Tx, dealerId: string): Promise<void> {
  await tx.deleteFrom('savedSearches').where('dealerId', '=', dealerId).execute()
  await tx.deleteFrom('watches').where('dealerId', '=', dealerId).execute()
}

/**
 * Returns one row per dealer, with the oldest matching search. Excludes the seller and suspended dealers. With `sort`, considers only
 * searches with that sort.
 */
export async function listMatches(
  db: Db,
  postId: string,
  sort?: PostSort,
): Promise<{ dealerId: string; search: string }[]> {
  const { rows } = await sql<{ dealerId: string; search: string }>`
    select distinct on (s.dealer_id) s.dealer_id, s.search
    from posts p join saved_searches s on p.search @@ coalesce(s.meant, s.query) or p.search_text like s.pattern
    join dealers d on d.id = s.dealer_id and d.deleted_at is null and not is_suspended(d.suspended_at, d.suspended_until)
    where p.id = ${postId} and s.kind = 'feed' and p.deleted_at is null and p.hidden_at is null and s.dealer_id <> p.dealer_id
      ${sort === undefined ? sql`` : sql`and s.sort = ${sort}`}
      and (s.sort in ('recent', 'hottest')
        or (s.sort = 'auction-promo' and exists (select from auctions a where a.post_id = p.id and a.status = 'open'))
        or (s.sort = 'for-sale' and p.status = 'active' and ${isForSale('p')}))
    order by s.dealer_id, s.created_at`.execute(db)
  return rows
}

export async function findMatchedPost(db: Db, postId: string) {
  return db
    .selectFrom('posts')
    .innerJoin('dealers', 'dealers.id', 'posts.dealerId')
    .select(['posts.title', 'posts.dealerId', 'dealers.dealershipName'])
    .where('posts.id', '=', postId)
    .executeTakeFirst()
}

export async function listWatchedIds(db: Db, dealerId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('watches')
    .innerJoin('posts', 'posts.id', 'watches.postId')
    .select('watches.postId')
    .where('watches.dealerId', '=', dealerId)
    .where('posts.deletedAt', 'is', null)
    .where('posts.hiddenAt', 'is', null)
    .orderBy('watches.createdAt', 'desc')
    .execute()
  return rows.map(({ postId }) => postId)
}

export async function insertWatch(db: Db, dealerId: string, postId: string): Promise<void> {
  await db
    .insertInto('watches')
    .values({ dealerId, postId })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function removeWatch(db: Db, dealerId: string, postId: string): Promise<void> {
  await db.deleteFrom('watches').where('dealerId', '=', dealerId).where('postId', '=', postId).execute()
}
