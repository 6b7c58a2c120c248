import { sql, type Selectable } from 'kysely'
import type { PostState } from '#shared/events/posts.ts'
import type { VehicleStatus } from '#shared/schemas/posts.ts'
import type { Posts } from '#server/db/schema.ts'

export const stateColumns = [
  'posts.bidCount',
  'posts.id',
  'posts.version',
  'posts.status',
  'posts.vehicleCount',
  'posts.availableCount',
  'posts.viewCount',
  'posts.commentCount',
  'posts.likeCount',
  'posts.infoCount',
] as const

type Column<Name> = Name extends `posts.${infer Own extends keyof Posts}` ? Own : never

export function toPostState({
  id,
  ...counters
}: Pick<Selectable<Posts>, Column<(typeof stateColumns)[number]>>): PostState {
  return { postId: id, ...counters }
}

/** A vehicle that is already sold keeps the time of its sale. */
export const statusColumns = (status: VehicleStatus) => ({
  status,
  soldAt: status === 'sold' ? sql<Date>`coalesce(vehicles.sold_at, clock_timestamp())` : null,
})
