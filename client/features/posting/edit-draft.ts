import type { PostDetail, PostPatch, Vehicle, VehicleStatus } from '#shared/schemas/posts.ts'
import { toNewVehicle, type VehicleDraft } from './vehicle-draft.ts'

/** A vehicle of a post that is edited; `id` and what the form does not show travel along. */
export interface EditedDraft extends VehicleDraft {
  id: string | undefined
  status: VehicleStatus
  kept: Pick<Vehicle, 'notes' | 'location' | 'atDealership'>
}

export interface EditDraft {
  title: string
  description: string
  auctionFacilitator: string
  vehicles: readonly EditedDraft[]
}

export function editDraftOf({ title, description, auctionFacilitator, vehicles }: PostDetail): EditDraft {
  return { title, description, auctionFacilitator: auctionFacilitator ?? '', vehicles: vehicles.map(toDraft) }
}

export function newEditedVehicle(vehicle: VehicleDraft): EditedDraft {
  return { ...vehicle, id: undefined, status: 'available', kept: { notes: null, location: null, atDealership: null } }
}

/** What PATCH takes. A post that lists its vehicles in a spreadsheet keeps them, and so does one that a bid stands on. */
export function toPatch(draft: EditDraft, post: PostDetail, photoUrls: string[], bound: boolean): PostPatch {
  const { title, description, auctionFacilitator, vehicles } = draft
  return {
    ...(!bound && { title: title.trim() }),
    description: description.trim(),
    auctionFacilitator,
    photoUrls,
    ...(post.type !== 'spreadsheet' &&
      !bound && {
        vehicles: vehicles.map((vehicle) => ({
          ...toNewVehicle(vehicle),
          ...known(vehicle.kept),
          status: vehicle.status,
          ...(vehicle.id !== undefined && { id: vehicle.id }),
        })),
      }),
  }
}

function toDraft(vehicle: Vehicle): EditedDraft {
  const text = (value: string | number | null) => (value === null ? '' : String(value))
  const { id, status, notes, location, atDealership } = vehicle
  return {
    key: id,
    id,
    status,
    kept: { notes, location, atDealership },
    vin: text(vehicle.vin),
    year: text(vehicle.year),
    make: text(vehicle.make),
    model: text(vehicle.model),
    trim: text(vehicle.trim),
    mileage: text(vehicle.mileage),
    price: text(vehicle.price),
    color: text(vehicle.color),
    city: text(vehicle.city),
    state: text(vehicle.state),
    fromVin: [],
  }
}

function known({ notes, location, atDealership }: EditedDraft['kept']) {
  return {
    ...(notes !== null && { notes }),
    ...(location !== null && { location }),
    ...(atDealership !== null && { atDealership }),
  }
}
