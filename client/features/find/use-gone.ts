import { skipToken, useQuery } from '@tanstack/react-query'
import { lastChangeKey, postQuery, removedAtKey } from '#client/lib/held-posts.ts'
import type { PostChange } from '#shared/events/posts.ts'
import type { FoundVehicle } from '#shared/schemas/find.ts'
import type { PostDetail } from '#shared/schemas/posts.ts'

/** The copy, where all that is heard of the post is in it. */
const newerThan = (post: PostDetail | undefined, found: number, heard: number): PostDetail | undefined =>
  post !== undefined && post.version > found && post.version >= heard ? post : undefined

/** How a vehicle stands in a copy of its post; undefined: it is on offer. */
function goneIn({ status, vehicles }: PostDetail, vehicleId: string): string | undefined {
  const vehicle = vehicles.find(({ id }) => id === vehicleId)
  if (vehicle === undefined) return 'removed'
  if (vehicle.status !== 'available') return vehicle.status
  return status === 'active' ? undefined : status
}

/**
 * What has become of a vehicle since it was found; undefined: it is still on offer. Events tell of the post, and where they leave open
 * which of its vehicles it was, or something was missed, a copy of the post does.
 */
export function useGone({ postId, vehicleId, postVersion }: FoundVehicle): string | undefined {
  const removedAt = useQuery<number>({ queryKey: removedAtKey(postId), queryFn: skipToken }).data ?? 0
  const heard = useQuery<PostChange>({ queryKey: lastChangeKey(postId), queryFn: skipToken }).data
  // What was heard before it was found is known.
  const change = heard !== undefined && heard.version > postVersion ? heard : undefined
  const isSome = change?.status === 'active' && change.availableCount < change.vehicleCount
  const post = useQuery({ ...postQuery(postId), enabled: isSome }).data
  if (removedAt > 0) return 'removed'
  if (change !== undefined && change.status !== 'active') return change.status
  const newer = newerThan(post, postVersion, change?.version ?? 0)
  return newer && goneIn(newer, vehicleId)
}
