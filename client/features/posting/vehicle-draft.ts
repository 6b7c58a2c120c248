import { type Guard, isFlag, isListOf, isOneOf, isOptional, isShape, isText } from '#client/lib/http/type-guards.ts'
import { newId } from '#client/lib/http/new-id.ts'
import { typedMiles, typedPrice } from '#client/lib/form/typed-amount.ts'
import { formatMileage, formatMoney } from '#client/ui/format.ts'
import { bidMaxDollars, mileageMax, vinLength, yearMax, yearMin } from '#shared/limits.ts'
import { vehicleStatuses } from '#shared/constants/posts.ts'
import type { NewVehicle, Vehicle, VehicleChange, VehicleStatus } from '#shared/schemas/posts.ts'
import {
  isComplete as isCompleteVehicle,
  isNamed,
  missingFields as missingOf,
  type NeededField,
} from '#shared/vehicle-rules.ts'
import type { DecodedVin } from '#shared/vin/vin.ts'

/** Parses a field's text. Returns undefined if the text is invalid. */
type Read = (text: string) => string | number | undefined

const anyText: Read = (text) => text
const atMost =
  (read: (text: string) => number | undefined, max: number): Read =>
  (text) => {
    const figure = read(text)
    return figure !== undefined && figure <= max ? figure : undefined
  }

/** A field that is added to the schema needs a parser here, or the code does not compile. */
const reading = {
  vin: anyText,
  year: (text) =>
    /^\d{4}$/.test(text) && Number(text) >= yearMin && Number(text) <= yearMax ? Number(text) : undefined,
  make: anyText,
  model: anyText,
  trim: anyText,
  mileage: atMost(typedMiles, mileageMax),
  price: atMost(typedPrice, bidMaxDollars),
  color: anyText,
  city: anyText,
  state: anyText,
  location: anyText,
  notes: anyText,
} as const satisfies Record<Exclude<keyof NewVehicle, 'atDealership' | 'photos'>, Read>

export type VehicleField = keyof typeof reading
type Typed = Record<VehicleField, string>

const fields = Object.keys(reading) as VehicleField[]

const needed: Record<NeededField, string> = {
  vin: `Enter a ${vinLength}-character VIN without I, O or Q`,
  year: 'Enter the year',
  make: 'Enter the make',
  model: 'Enter the model',
  mileage: 'Enter the mileage',
  price: 'Enter the price',
  city: 'Enter the city',
  state: 'Choose a state',
}

const unreadable: Partial<Record<VehicleField, string>> = {
  year: `Enter a year from ${yearMin} to ${yearMax}`,
  mileage: 'Enter miles, such as 45,000',
  price: 'Enter dollars with at most two decimals, such as 12,500',
}

/** A vehicle being written or edited. Every field holds the text of its input. */
export interface VehicleDraft extends Typed {
  /** The upload queue assigns photos to the vehicle by this key. */
  key: string
  /** Fields that were filled from the VIN and have not been edited since. */
  fromVin: readonly string[]
  scanned: boolean
  atDealership: boolean | undefined
  /** True if the VIN, make and model are enough to post the vehicle: in the composer, or if it was already posted incomplete. */
  lenient: boolean
  id: string | undefined
  status: VehicleStatus
}

export const isVehicleDraft = isShape<VehicleDraft>({
  ...(Object.fromEntries(fields.map((field) => [field, isText])) as Record<VehicleField, Guard<string>>),
  key: isText,
  fromVin: isListOf(isText),
  scanned: isFlag,
  atDealership: isOptional(isFlag),
  lenient: isFlag,
  id: isOptional(isText),
  status: isOneOf(vehicleStatuses),
})

type Known = Partial<Record<VehicleField, string | number | null | undefined>>

export function newVehicle({ atDealership, ...known }: Known & { atDealership?: boolean }): VehicleDraft {
  const typed = Object.fromEntries(fields.map((field) => [field, String(known[field] ?? '')])) as Typed
  const blank = { fromVin: [], scanned: false, lenient: false, id: undefined }
  return { ...typed, ...blank, key: newId(), atDealership, status: 'available' }
}

/** Returns a new draft at the last vehicle's location, or at the dealer's location for the first vehicle. */
export function nextVehicle(vehicles: readonly VehicleDraft[], place: { city: string; state: string }): VehicleDraft {
  const last = vehicles.at(-1)
  if (last === undefined) return newVehicle(place)
  const { city, state, location, atDealership } = last
  return newVehicle({ city, state, location, ...(atDealership !== undefined && { atDealership }) })
}

export const composerVehicle = (known: Known): VehicleDraft => ({
  ...newVehicle({ ...known, atDealership: true }),
  lenient: true,
})

export function vehicleOfRow(row: NewVehicle, place: { city: string; state: string }): VehicleDraft {
  return composerVehicle({ ...(row.city || row.state || row.location ? {} : place), ...row })
}

/** Returns a draft for editing a posted vehicle. If the vehicle was posted with missing fields, it can be saved with missing fields. */
export function vehicleOfPost({ id, status, atDealership, photos: _photos, ...vehicle }: Vehicle): VehicleDraft {
  const draft = { ...newVehicle(vehicle), key: id, id, status, atDealership: atDealership ?? undefined }
  return { ...draft, lenient: !isComplete(draft) }
}

export function missingFields(vehicle: VehicleDraft): string[] {
  return missingOf(toNewVehicle(vehicle)).map((field) => {
    if (field !== 'vin') return field
    return vehicle.vin.length === vinLength ? 'a VIN without I, O or Q' : 'VIN'
  })
}

/** Returns an error for each field that cannot be parsed. Such fields would be left out of the post. */
export const wrongFields = (vehicle: VehicleDraft): Partial<Record<VehicleField, string>> =>
  Object.fromEntries(
    fields.flatMap((field) => {
      const text = vehicle[field].trim()
      return text !== '' && reading[field](text) === undefined ? [[field, unreadable[field]]] : []
    }),
  )

/** Returns the errors to show after an attempt to submit an invalid form: missing fields and values that cannot be parsed. */
export const refusedFields = (vehicle: VehicleDraft): Partial<Record<VehicleField, string>> => ({
  ...Object.fromEntries(missingOf(toNewVehicle(vehicle)).map((field) => [field, needed[field]])),
  ...wrongFields(vehicle),
})

export const isComplete = (vehicle: VehicleDraft) => isCompleteVehicle(toNewVehicle(vehicle))

/** True if the vehicle can be posted. A lenient vehicle needs only a VIN, make and model. */
export const canBePosted = (vehicle: VehicleDraft) =>
  isComplete(vehicle) ||
  (vehicle.lenient && isNamed(toNewVehicle(vehicle)) && Object.keys(wrongFields(vehicle)).length === 0)

const locationFields: readonly string[] = ['city', 'state', 'location'] satisfies VehicleField[]

/** True if the dealer has filled in a field other than the location, which is prefilled. */
export function isTouched(vehicle: VehicleDraft): boolean {
  return fields.some((field) => !locationFields.includes(field) && vehicle[field].trim() !== '')
}

export function toNewVehicle(vehicle: VehicleDraft, photos: string[] = []): NewVehicle {
  const filled = fields.flatMap((field) => {
    const text = vehicle[field].trim()
    const read = reading[field](text)
    return text === '' || read === undefined ? [] : [[field, read]]
  })
  return {
    ...Object.fromEntries(filled),
    ...(vehicle.atDealership !== undefined && { atDealership: vehicle.atDealership }),
    ...(photos.length > 0 && { photos }),
  }
}

const figures: readonly string[] = ['year', 'mileage', 'price'] satisfies VehicleField[]

/** Returns the changed fields for a patch. Fields that the dealer emptied are cleared on the server. */
export function changedFields(vehicle: VehicleDraft, before: VehicleDraft): Omit<VehicleChange, 'id'> {
  const [now, was] = [vehicle, before].map((draft) => new Map<string, unknown>(Object.entries(toNewVehicle(draft))))
  const changed = [...fields, 'atDealership'].filter((field) => now?.get(field) !== was?.get(field))
  return Object.fromEntries(changed.map((field) => [field, now?.get(field) ?? (figures.includes(field) ? null : '')]))
}

export function vehicleFacts(vehicle: VehicleDraft, place: string): string {
  const { mileage, price } = toNewVehicle(vehicle)
  const facts = [mileage !== undefined && formatMileage(mileage), price !== undefined && formatMoney(price), place]
  return facts.filter(Boolean).join(' · ')
}

export interface FoundByVin extends DecodedVin {
  trim?: string
}

const decodedFields = ['year', 'make', 'model', 'trim'] as const

export function withText(vehicle: VehicleDraft, field: VehicleField, text: string): VehicleDraft {
  return { ...vehicle, [field]: text, fromVin: vehicle.fromVin.filter((filled) => filled !== field) }
}

export function withVin(vehicle: VehicleDraft, vin: string): VehicleDraft {
  if (vin === vehicle.vin) return vehicle
  const unknown = Object.fromEntries(vehicle.fromVin.map((field) => [field, '']))
  return { ...vehicle, ...unknown, vin, fromVin: [], scanned: false }
}

export const withScannedVin = (vehicle: VehicleDraft, vin: string): VehicleDraft => ({
  ...withVin(vehicle, vin),
  scanned: true,
})

export const isDecoded = ({ fromVin }: VehicleDraft): boolean =>
  (['year', 'make', 'model'] satisfies VehicleField[]).every((field) => fromVin.includes(field))

/** Fills empty fields, and fields that an earlier VIN filled. Never overwrites values that the dealer typed. */
export function fillFromVin(vehicle: VehicleDraft, known: FoundByVin): VehicleDraft {
  const filled = decodedFields.filter(
    (field) => (known[field] ?? '') !== '' && (vehicle[field].trim() === '' || vehicle.fromVin.includes(field)),
  )
  const found = Object.fromEntries(filled.map((field) => [field, String(known[field])]))
  return { ...vehicle, ...found, fromVin: [...new Set([...vehicle.fromVin, ...filled])] }
}
