import { skipToken, useQuery } from '@tanstack/react-query'
import { lastChangeKey, postQuery, removedAtKey } from '#client/lib/post/cached-posts.ts'
import type { PostChange } from '#shared/events/posts.ts'
import type { FoundVehicle } from '#shared/schemas/find.ts'
import type { PostDetail } from '#shared/schemas/posts.ts'

/** Returns the cached post if it is newer than the search and includes the last known change. */
const newerThan = (post: PostDetail | undefined, found: number, lastChange: number): PostDetail | undefined =>
  post !== undefined && post.version > found && post.version >= lastChange ? post : undefined

function unavailableStatus({ status, vehicles }: PostDetail, vehicleId: string): string | undefined {
  const vehicle = vehicles.find(({ id }) => id === vehicleId)
  if (vehicle === undefined) return 'removed'
  if (vehicle.status !== 'available') return vehicle.status
  return status === 'active' ? undefined : status
}

/**
 * Returns why a vehicle has become unavailable since the search, or undefined if it is still for sale. Events do not name the vehicle, so
 * the post is fetched if only some of its vehicles are still available.
 */
export function useUnavailableReason({ postId, vehicleId, postVersion }: FoundVehicle): string | undefined {
  const removedAt = useQuery<number>({ queryKey: removedAtKey(postId), queryFn: skipToken }).data ?? 0
  const lastChange = useQuery<PostChange>({ queryKey: lastChangeKey(postId), queryFn: skipToken }).data
  // Ignore events older than the search.
  const change = lastChange !== undefined && lastChange.version > postVersion ? lastChange : undefined
  const isSome = change?.status === 'active' && change.availableCount < change.vehicleCount
  const post = useQuery({ ...postQuery(postId), enabled: isSome }).data
  if (removedAt > 0) return 'removed'
  if (change !== undefined && change.status !== 'active') return change.status
  const newer = newerThan(post, postVersion, change?.version ?? 0)
  return newer && unavailableStatus(newer, vehicleId)
}
