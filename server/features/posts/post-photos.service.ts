import { photosPerPost } from '#shared/limits.ts'
import type { EditedVehicle, PostPatch } from '#shared/schemas/posts.ts'
import { badRequest } from '#server/errors.ts'
import { attachUrls } from '#server/features/uploads/uploads.service.ts'
import type { Tx } from '#server/platform/database/db.ts'
import type { Actor } from '#server/platform/session/session.ts'
import type { Emit } from '#server/platform/database/transact.ts'
import type { PostPhoto } from './post-edits.repository.ts'

export interface Change {
  tx: Tx
  emit: Emit
  now: Date
}

export const photosIn = ({
  photoUrls = [],
  vehicles = [],
  vehicleChanges: { changed = [], added = [] } = {},
}: PostPatch) => [...photoUrls, ...[...vehicles, ...changed, ...added].flatMap(({ photos = [] }) => photos)]

/** Returns the photos after an edit: the post's own, then those of its vehicles, each URL once. Absent fields keep their photos. */
export function photosAfter(
  before: readonly PostPhoto[],
  photoUrls: readonly string[] | undefined,
  vehicles?: readonly EditedVehicle[],
  ids: readonly string[] = [],
): PostPhoto[] {
  const photosOf = (vehicleId: string | null) =>
    before.flatMap((photo) => (photo.vehicleId === vehicleId ? photo.url : []))
  const own = photoUrls ?? photosOf(null)
  const ofVehicles =
    vehicles === undefined
      ? before.filter(({ vehicleId }) => vehicleId !== null)
      : vehicles.flatMap(({ photos }, index) => {
          const vehicleId = ids[index] ?? null
          return (photos ?? photosOf(vehicleId)).map((url) => ({ url, vehicleId }))
        })
  const photos = new Map<string, PostPhoto>()
  for (const photo of [...own.map((url) => ({ url, vehicleId: null })), ...ofVehicles]) photos.set(photo.url, photo)
  if (photos.size > photosPerPost) throw badRequest(`Maximum ${photosPerPost} photos allowed`)
  return [...photos.values()]
}

/** Keeps photos that are already part of the post. All other photos must be the seller's own uploads. */
export async function keepOrAttach(
  { tx, emit, now }: Change,
  actor: Actor,
  before: readonly PostPhoto[],
  photos: readonly PostPhoto[],
): Promise<PostPhoto[]> {
  const present = new Set(before.map(({ url }) => url))
  const added = photos.flatMap(({ url }) => (present.has(url) ? [] : url))
  const attached = await attachUrls(tx, emit, { dealerId: actor.dealerId, kind: 'photo', now }, added)
  const stored = new Map(added.map((url, index) => [url, attached[index] ?? url]))
  const kept = new Map(photos.map((photo) => [stored.get(photo.url) ?? photo.url, photo.vehicleId]))
  return [...kept].map(([url, vehicleId]) => ({ url, vehicleId }))
}
