import type { EditedVehicle, Post, PostPatch, Vehicle, VehicleChange, VehicleStatus } from '#shared/schemas/posts.ts'
import { trimTitle } from '#shared/visible-text.ts'
import { vehiclesPerPost } from '#shared/limits.ts'
import { checkDigitHolds } from '#shared/vin/vin.ts'
import { badRequest, conflict } from '#server/errors.ts'

const names = ['vin', 'year', 'make', 'model'] as const
const priceFactors = [...names, 'trim', 'mileage'] as const
/** Fields of the auctioned vehicle that bidders rely on. The seller may still change other fields, such as the price. */
const identity = [...priceFactors, 'color', 'city', 'state'] as const

const bound = 'This auction has a bid'
const unchangeable = () =>
  conflict(
    `${bound}, so its title, photos and vehicle cannot be changed. You can add photos and extend the description`,
  )

/** Once the auction has a bid, rejects edits that change what bidders rely on. Adding text and photos is allowed. @throws 409 */
export function assertKeepsLot(patch: PostPatch, before: Post): void {
  if (patch.status !== undefined || (patch.vehicle !== undefined && patch.vehicle.id === before.vehicles[0]?.id))
    throw conflict(`${bound}, so its status depends on how the auction ends`)
  if (patch.vehicles?.some(({ id }) => id === undefined))
    throw conflict(`${bound}, so you cannot add vehicles to its post`)
  if (!isLotUnchanged(patch, before) || !keepsNotesAndPlace(patch, before)) throw unchangeable()
}

/** True if the first vehicle keeps its location and its notes are only extended, for example to disclose damage. */
function keepsNotesAndPlace({ vehicles }: PostPatch, before: Post): boolean {
  const [edited, lot] = [vehicles?.[0], before.vehicles[0]]
  if (edited === undefined || lot === undefined) return true
  const keepsNotes = (edited.notes ?? '').trim().startsWith((lot.notes ?? '').trim())
  return keepsNotes && asText(edited.location) === asText(lot.location)
}

/** True if the title stays, text and photos are only added, and the first vehicle, which is the one for auction, does not change. */
export function isLotUnchanged({ title, description, photoUrls, vehicles }: PostPatch, before: Post): boolean {
  const keepsWords =
    (title === undefined || trimTitle(title) === before.title) &&
    (description === undefined || description.trim().startsWith(before.description.trim()))
  const ofVehicles = new Set(before.vehicles.flatMap(({ photos }) => photos))
  const keepsPhotos =
    photoUrls === undefined || before.photoUrls.every((url) => ofVehicles.has(url) || photoUrls.includes(url))
  return keepsWords && keepsPhotos && (vehicles === undefined || isFirstUnchanged(vehicles[0], before.vehicles[0]))
}

const isFirstUnchanged = (edited: EditedVehicle | undefined, vehicle: Vehicle | undefined): boolean =>
  edited === undefined || vehicle === undefined
    ? edited === vehicle
    : edited.id === vehicle.id && hasSameLotFields(edited, vehicle)

/**
 * Converts `vehicleChanges` to the full list of vehicles. Keeps vehicles that were added after the seller opened the post.
 * @throws 400 if the changes are invalid; 409 if a changed vehicle is no longer part of the post
 */
export function withChanges({ vehicleChanges, ...patch }: PostPatch, before: Pick<Post, 'vehicles'>): PostPatch {
  if (vehicleChanges === undefined) return patch
  if (patch.vehicles !== undefined) throw badRequest('Send either vehicles or vehicleChanges')
  const { changed = [], added = [], removed = [] } = vehicleChanges
  const changes = new Map(changed.map((change) => [change.id, change]))
  if (changes.size < changed.length) throw badRequest('A vehicle is listed twice')
  if (changed.some((change) => before.vehicles.every(({ id }) => id !== change.id)))
    throw conflict('A vehicle you changed is no longer in the post. Reopen the post to edit it')
  const kept = before.vehicles.filter(({ id }) => !removed.includes(id))
  if (added.length > 0 && kept.length + added.length > vehiclesPerPost)
    throw badRequest(`Maximum ${vehiclesPerPost} vehicles allowed`)
  return { ...patch, vehicles: [...kept.map((vehicle) => withChange(vehicle, changes.get(vehicle.id))), ...added] }
}

function withChange(vehicle: Vehicle, { photosRead, ...change }: Partial<VehicleChange> = {}): EditedVehicle {
  const { year, mileage, price, ...words } = { ...wordsOf(vehicle), ...change }
  if (words.photos !== undefined) words.photos = mergedPhotos(words.photos, photosRead, vehicle.photos)
  const known = Object.entries({ year, mileage, price }).filter(([, figure]) => typeof figure === 'number')
  return { ...words, ...Object.fromEntries(known), id: vehicle.id }
}

export function withPhotos(
  { photoUrlsRead, ...patch }: PostPatch,
  { photoUrls, vehicles }: Pick<Post, 'photoUrls' | 'vehicles'>,
): PostPatch {
  if (patch.photoUrls === undefined) return patch
  const ofVehicles = new Set(vehicles.flatMap(({ photos }) => photos))
  const own = photoUrls.filter((url) => !ofVehicles.has(url))
  return { ...patch, photoUrls: mergedPhotos(patch.photoUrls, photoUrlsRead, own) }
}

/** Merges the sent list with photo changes made since the seller read the list. Without `read`, returns the sent list. */
function mergedPhotos(sent: readonly string[], read: readonly string[] | undefined, now: readonly string[]): string[] {
  if (read === undefined) return [...sent]
  const left = now.filter((url) => !read.includes(url) || sent.includes(url))
  const added = sent.filter((url) => !read.includes(url) && !now.includes(url))
  const unmoved = [...read.filter((url) => sent.includes(url)), ...sent.filter((url) => !read.includes(url))]
  if (unmoved.join('\n') === sent.join('\n')) return [...left, ...added]
  const placed = sent.filter((url) => left.includes(url) || added.includes(url))
  return [...placed, ...left.filter((url) => !placed.includes(url))]
}

/** True if the auction would sell a different vehicle, because the first vehicle was removed, moved down or replaced. */
export function replacesLot({ vehicles }: PostPatch, before: Pick<Post, 'vehicles'>): boolean {
  const lot = before.vehicles[0]
  if (vehicles === undefined || lot === undefined) return false
  const [first] = vehicles
  return first?.id !== lot.id || isOtherVehicle(first, lot)
}

/** A vehicle is different if it has another valid VIN, or if at least two of year, make and model changed. */
function isOtherVehicle(edited: EditedVehicle, vehicle: Vehicle): boolean {
  const { vin } = vehicle
  if (asText(vin) !== '' && asText(vin) === asText(edited.vin)) return false
  if ([vin, edited.vin].every((one) => checkDigitHolds(asText(one).toUpperCase()))) return true
  const changed = ['year', 'make', 'model'] as const
  return changed.filter((field) => asText(vehicle[field]) !== '' && !isSame([field], edited, vehicle)).length > 1
}

/** Fills in the stored fields of vehicles for which the edit contains only the id, status or photos. */
export function withKept(patch: PostPatch, before: Pick<Post, 'vehicles'>): PostPatch {
  if (patch.vehicles === undefined) return patch
  const vehicles = patch.vehicles.map((edited) => {
    const vehicle = isKept(edited) ? before.vehicles.find(({ id }) => id === edited.id) : undefined
    return vehicle === undefined ? edited : { ...wordsOf(vehicle), ...edited }
  })
  return { ...patch, vehicles }
}

const isKept = ({ id: _id, status: _status, photos: _photos, ...words }: EditedVehicle): boolean =>
  Object.keys(words).length === 0

const wordsOf = ({ id: _id, status: _status, photos: _photos, ...words }: Vehicle): EditedVehicle =>
  Object.fromEntries(Object.entries(words).filter(([, word]) => word !== null))

const pairsOf = ({ vehicles = [] }: PostPatch, before: Pick<Post, 'vehicles'>) =>
  vehicles.flatMap((edited) => {
    const vehicle = before.vehicles.find(({ id }) => id === edited.id)
    return vehicle === undefined ? [] : [{ edited, vehicle }]
  })

/** Returns the vehicles whose value to a buyer has changed, so that offers on them no longer apply. */
export const materiallyChanged = (patch: PostPatch, before: Pick<Post, 'vehicles'>): string[] =>
  pairsOf(patch, before).flatMap(({ edited, vehicle }) => (isSame(priceFactors, edited, vehicle) ? [] : vehicle.id))

export const removedVehicleIds = ({ vehicles }: PostPatch, before: Pick<Post, 'vehicles'>): string[] =>
  vehicles === undefined
    ? []
    : before.vehicles.flatMap(({ id }) => (vehicles.some((edited) => edited.id === id) ? [] : id))

export const isReplacing = (patch: PostPatch, before: Pick<Post, 'vehicles'>): boolean =>
  pairsOf(patch, before).some(({ edited, vehicle }) => {
    const named = names.filter((field) => (vehicle[field] ?? '') !== '')
    return !isSame(named, edited, vehicle)
  })

/** Rejects the deletion of a post whose auction has a bid. @throws 409 always */
export function refuseRemoval(): never {
  throw conflict(`${bound}, so the post cannot be deleted before the auction is decided`)
}

/** Prevents a vehicle in a deal from being relisted or removed. @throws 409 if the edit would do so */
export function assertKeepsDealt(
  { vehicle, vehicles }: PostPatch,
  dealt: readonly { id: string; dealStatus: string }[],
): void {
  for (const { id, dealStatus } of dealt) {
    const edited = vehicles?.find((one) => one.id === id)
    const goes = vehicles !== undefined && edited === undefined
    // An edit may set this vehicle's status in `vehicles`, in `vehicle`, or in both.
    for (const wanted of [edited?.status, vehicle?.id === id ? vehicle.status : undefined]) {
      const refusal = dealStatus === 'completed' ? refusalOfSold(wanted) : refusalOfDealing(wanted, goes)
      if (refusal !== undefined) throw conflict(refusal)
    }
  }
}

const refusalOfSold = (wanted: VehicleStatus | undefined) =>
  wanted === undefined || wanted === 'sold' ? undefined : 'This vehicle was sold in a deal, so it stays sold'

function refusalOfDealing(wanted: VehicleStatus | undefined, goes: boolean): string | undefined {
  if (wanted === 'available') return 'This vehicle is in a deal. Cancel the deal to relist the vehicle'
  return goes ? 'A vehicle in this post is in a deal, so it cannot be removed' : undefined
}

const asText = (value: string | number | null | undefined) => String(value ?? '').toLowerCase()

const isSame = (fields: readonly (typeof identity)[number][], edited: EditedVehicle, vehicle: Vehicle): boolean =>
  fields.every((field) => asText(edited[field]) === asText(vehicle[field]))

function hasSameLotFields(edited: EditedVehicle, vehicle: Vehicle): boolean {
  return (
    isSame(identity, edited, vehicle) &&
    (edited.status === undefined || edited.status === vehicle.status) &&
    (edited.photos === undefined || vehicle.photos.every((url) => edited.photos?.includes(url)))
  )
}
