import { sql, type Insertable } from 'kysely'
import type { Review } from '#shared/schemas/reviews.ts'
import type { Reviews } from '#server/db/schema.ts'
import type { Db, Tx } from '#server/platform/database/db.ts'

const selectReviews = (db: Db) =>
  db
    .selectFrom('reviews')
    .innerJoin('dealers', 'dealers.id', 'reviews.authorId')
    .selectAll('reviews')
    .select(['dealers.name', 'dealers.avatar', 'dealers.dealershipName'])

function toReview(row: Awaited<ReturnType<ReturnType<typeof selectReviews>['executeTakeFirstOrThrow']>>): Review {
  return {
    id: row.id,
    dealId: row.dealId,
    rating: row.rating,
    content: row.content,
    reply: row.reply,
    createdAt: row.createdAt.toISOString(),
    repliedAt: row.repliedAt?.toISOString() ?? null,
    subjectId: row.subjectId,
    author: { id: row.authorId, name: row.name, avatar: row.avatar, dealershipName: row.dealershipName },
  }
}

const listedMax = 100

export async function listReviews(db: Db, subjectId: string): Promise<Review[]> {
  const rows = await selectReviews(db)
    .where('reviews.subjectId', '=', subjectId)
    .orderBy('reviews.createdAt', 'desc')
    .orderBy('reviews.id', 'desc')
    .limit(listedMax)
    .execute()
  return rows.map(toReview)
}

export async function findReview(db: Db, reviewId: string): Promise<Review | undefined> {
  const row = await selectReviews(db).where('reviews.id', '=', reviewId).executeTakeFirst()
  return row === undefined ? undefined : toReview(row)
}

export async function hasAnyReview(db: Db): Promise<boolean> {
  return (await db.selectFrom('reviews').select('id').limit(1).executeTakeFirst()) !== undefined
}

export async function findDealParties(tx: Tx, dealId: string) {
  return tx
    .selectFrom('deals')
    .select(['sellerId', 'buyerId', 'status'])
    .where('id', '=', dealId)
    .forKeyShare()
    .executeTakeFirst()
}

export async function insertReview(
  tx: Tx,
  review: { dealId: string; authorId: string; subjectId: string; rating: number; content: string },
): Promise<string | undefined> {
  const row = await tx
    .insertInto('reviews')
    .values(review)
    .onConflict((conflict) => conflict.columns(['dealId', 'authorId']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

/** Only the reviewed dealer can reply, and only once. */
export async function updateReply(tx: Tx, subjectId: string, reviewId: string, reply: string): Promise<boolean> {
  const result = await tx
    .updateTable('reviews')
    .set({ reply, repliedAt: sql<Date>`clock_timestamp()` })
    .where('id', '=', reviewId)
    .where('subjectId', '=', subjectId)
    .where('reply', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** The caller must update the ratings. */
export async function insertPastReviews(tx: Tx, reviews: Insertable<Reviews>[]): Promise<void> {
  await tx.insertInto('reviews').values(reviews).execute()
}
