import type { EditedVehicle, Post, PostPatch, Vehicle, VehicleStatus } from '#shared/schemas/posts.ts'
import { conflict } from '#server/errors.ts'

/** What a bidder relies on. Price, notes and the like are the seller's to change. */
const identity = ['vin', 'year', 'make', 'model', 'trim', 'mileage', 'color', 'city', 'state'] as const

const bound = 'A bid stands on this auction'
const stays = () =>
  conflict(`${bound}, so its title, vehicles and photos stay as they are. You can add photos and to the description`)

/**
 * Once a bid stands, the lot is what was bid on: an edit may add photos and words, and change what is not the vehicle.
 * @throws 409
 */
export function assertKeepsLot(patch: PostPatch, before: Post): void {
  const { title, description, photoUrls, vehicles } = patch
  if (patch.status !== undefined || patch.vehicle !== undefined)
    throw conflict(`${bound}, so its status follows the auction’s end`)
  const keepsWords =
    (title === undefined || title.trim() === before.title) &&
    (description === undefined || description.trim().startsWith(before.description.trim()))
  const ofVehicles = new Set(before.vehicles.flatMap(({ photos }) => photos))
  const keepsPhotos =
    photoUrls === undefined || before.photoUrls.every((url) => ofVehicles.has(url) || photoUrls.includes(url))
  const keepsVehicles =
    vehicles === undefined ||
    (vehicles.length === before.vehicles.length &&
      before.vehicles.every((vehicle) => {
        const edited = vehicles.find(({ id }) => id === vehicle.id)
        return edited !== undefined && isSame(edited, vehicle)
      }))
  if (!keepsWords || !keepsPhotos || !keepsVehicles) throw stays()
}

/** @throws 409 */
export function refuseRemoval(): never {
  throw conflict(`${bound}, so the post cannot be deleted before the auction is decided`)
}

/**
 * A deal decides what becomes of its vehicle: the seller can neither offer it again nor take it out of the post.
 * @throws 409
 */
export function assertKeepsDealt(
  { vehicle, vehicles }: PostPatch,
  dealt: readonly { id: string; dealStatus: string }[],
): void {
  for (const { id, dealStatus } of dealt) {
    const edited = vehicles?.find((one) => one.id === id)
    const wanted = edited?.status ?? (vehicle?.id === id ? vehicle.status : undefined)
    const goes = vehicles !== undefined && edited === undefined
    const refusal = dealStatus === 'completed' ? refusalOfSold(wanted) : refusalOfDealing(wanted, goes)
    if (refusal !== undefined) throw conflict(refusal)
  }
}

const refusalOfSold = (wanted: VehicleStatus | undefined) =>
  wanted === undefined || wanted === 'sold' ? undefined : 'This vehicle was sold in a deal, so it stays sold'

function refusalOfDealing(wanted: VehicleStatus | undefined, goes: boolean): string | undefined {
  if (wanted === 'available') return 'This vehicle is in a deal. Cancel the deal to offer it again'
  return goes ? 'A vehicle of this post is in a deal, so it stays in the post' : undefined
}

function isSame(edited: EditedVehicle, vehicle: Vehicle): boolean {
  const text = (value: string | number | null | undefined) => String(value ?? '').toLowerCase()
  return (
    identity.every((field) => text(edited[field]) === text(vehicle[field])) &&
    (edited.status === undefined || edited.status === vehicle.status) &&
    (edited.photos === undefined || vehicle.photos.every((url) => edited.photos?.includes(url)))
  )
}
