import type { Db } from '#server/platform/db.ts'

const shown = 5

/** Active posts that offer this VIN, newest first. */
export async function listActivePosts(db: Db, vin: string) {
  return db
    .selectFrom('vehicles')
    .innerJoin('posts', 'posts.id', 'vehicles.postId')
    .innerJoin('dealers', 'dealers.id', 'posts.dealerId')
    .select(['posts.id', 'posts.title', 'posts.dealerId', 'dealers.dealershipName'])
    .where('vehicles.vin', '=', vin)
    .where('vehicles.status', '<>', 'sold')
    .where('posts.status', '=', 'active')
    .where('posts.deletedAt', 'is', null)
    .where('posts.hiddenAt', 'is', null)
    .orderBy('posts.createdAt', 'desc')
    .limit(shown)
    .execute()
}
