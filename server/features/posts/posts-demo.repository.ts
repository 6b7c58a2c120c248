import type { Insertable } from 'kysely'
import type { Photos, Posts, PostViews, Reactions, Vehicles } from '#server/db/schema.ts'
import type { Tx } from '#server/platform/database/db.ts'
import { refreshSearch } from './posts.repository.ts'

export interface PastPosts {
  posts: (Insertable<Posts> & { id: string })[]
  vehicles: Insertable<Vehicles>[]
  photos: Insertable<Photos>[]
  views: Insertable<PostViews>[]
  reactions: Insertable<Reactions>[]
}

export async function insertPastPosts(tx: Tx, { posts, vehicles, photos, views, reactions }: PastPosts): Promise<void> {
  await tx.insertInto('posts').values(posts).execute()
  await tx.insertInto('vehicles').values(vehicles).execute()
  if (photos.length > 0) await tx.insertInto('photos').values(photos).execute()
  await tx.insertInto('postViews').values(views).execute()
  await tx.insertInto('postImpressions').values(views).execute()
  await tx.insertInto('reactions').values(reactions).execute()
  await refreshSearch(
    tx,
    posts.map(({ id }) => id),
  )
}
