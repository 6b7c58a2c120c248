import { type Guard, isFlag, isListOf, isOneOf, isOptional, isShape, isText } from '#client/lib/guards.ts'
import { newId } from '#client/lib/new-id.ts'
import { typedMiles, typedPrice } from '#client/lib/typed-amount.ts'
import { formatMileage, formatMoney } from '#client/ui/format.ts'
import { bidMaxDollars, mileageMax, vinLength, yearMax, yearMin } from '#shared/limits.ts'
import {
  type NewVehicle,
  type Vehicle,
  type VehicleChange,
  type VehicleStatus,
  vehicleStatuses,
} from '#shared/schemas/posts.ts'
import {
  isComplete as isCompleteVehicle,
  isNamed,
  missingFields as missingOf,
  type NeededField,
} from '#shared/vehicle-rules.ts'
import type { DecodedVin } from '#shared/vin.ts'

/** What a field's text is read as; undefined: it cannot be. */
type Read = (text: string) => string | number | undefined

const asWritten: Read = (text) => text
const upTo =
  (read: (text: string) => number | undefined, max: number): Read =>
  (text) => {
    const figure = read(text)
    return figure !== undefined && figure <= max ? figure : undefined
  }

/** Everything that is typed of a vehicle, and how it goes out: a field that the schema gains does not compile until it stands here. */
const reading = {
  vin: asWritten,
  year: (text) =>
    /^\d{4}$/.test(text) && Number(text) >= yearMin && Number(text) <= yearMax ? Number(text) : undefined,
  make: asWritten,
  model: asWritten,
  trim: asWritten,
  mileage: upTo(typedMiles, mileageMax),
  price: upTo(typedPrice, bidMaxDollars),
  color: asWritten,
  city: asWritten,
  state: asWritten,
  location: asWritten,
  notes: asWritten,
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

/** Of figures that cannot be read. */
const unreadable: Partial<Record<VehicleField, string>> = {
  year: `Enter a year from ${yearMin} to ${yearMax}`,
  mileage: 'Enter miles, such as 45,000',
  price: 'Enter dollars with at most two decimals, such as 12,500',
}

/** A vehicle of a post that is being written or edited: text in every field, as the inputs hold it. */
export interface VehicleDraft extends Typed {
  /** Its photos are in the queue under it. */
  key: string
  /** Fields whose value came from the VIN and was not touched since. */
  fromVin: readonly string[]
  /** Its VIN was read by the camera. */
  scanned: boolean
  /** Undefined: nobody said. */
  atDealership: boolean | undefined
  /** The composer lets it through with VIN, make and model alone. */
  lenient: boolean
  /** The server's, of one that is on offer already. */
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

/** One more to be typed, with what is known of it: most vehicles stand where their dealer is. */
export function newVehicle({ atDealership, ...known }: Known & { atDealership?: boolean }): VehicleDraft {
  const typed = Object.fromEntries(fields.map((field) => [field, String(known[field] ?? '')])) as Typed
  const untold = { fromVin: [], scanned: false, lenient: false, id: undefined }
  return { ...typed, ...untold, key: newId(), atDealership, status: 'available' }
}

/** One more after these: whoever posts several has them in one place. */
export function nextVehicle(vehicles: readonly VehicleDraft[], place: { city: string; state: string }): VehicleDraft {
  const last = vehicles.at(-1)
  if (last === undefined) return newVehicle(place)
  const { city, state, location, atDealership } = last
  return newVehicle({ city, state, location, ...(atDealership !== undefined && { atDealership }) })
}

/** One that is added in the composer. */
export const composerVehicle = (known: Known): VehicleDraft => ({
  ...newVehicle({ ...known, atDealership: true }),
  lenient: true,
})

/** A row of a spreadsheet as a vehicle of the composer; it stands where its dealer is unless the row says otherwise. */
export function vehicleOfRow(row: NewVehicle, place: { city: string; state: string }): VehicleDraft {
  return composerVehicle({ ...(row.city || row.state || row.location ? {} : place), ...row })
}

/** A vehicle of a post that is edited: what was let through with less stays so. */
export function vehicleOfPost({ id, status, atDealership, photos: _photos, ...vehicle }: Vehicle): VehicleDraft {
  const draft = { ...newVehicle(vehicle), key: id, id, status, atDealership: atDealership ?? undefined }
  return { ...draft, lenient: !isComplete(draft) }
}

/** What is still needed, in the order of the form. */
export function missingFields(vehicle: VehicleDraft): string[] {
  return missingOf(toNewVehicle(vehicle)).map((field) => {
    if (field !== 'vin') return field
    return vehicle.vin.length === vinLength ? 'a VIN without I, O or Q' : 'VIN'
  })
}

/** What of a vehicle is typed and cannot be read: it would go out without. */
export const wrongFields = (vehicle: VehicleDraft): Partial<Record<VehicleField, string>> =>
  Object.fromEntries(
    fields.flatMap((field) => {
      const text = vehicle[field].trim()
      return text !== '' && reading[field](text) === undefined ? [[field, unreadable[field]]] : []
    }),
  )

/** What is said beside each field of a vehicle that was refused. */
export const refusedFields = (vehicle: VehicleDraft): Partial<Record<VehicleField, string>> => ({
  ...Object.fromEntries(missingOf(toNewVehicle(vehicle)).map((field) => [field, needed[field]])),
  ...wrongFields(vehicle),
})

export const isComplete = (vehicle: VehicleDraft) => isCompleteVehicle(toNewVehicle(vehicle))

/** Whether it can be posted: complete, or of the composer and named by VIN, make and model. */
export const canGoOut = (vehicle: VehicleDraft) =>
  isComplete(vehicle) ||
  (vehicle.lenient && isNamed(toNewVehicle(vehicle)) && Object.keys(wrongFields(vehicle)).length === 0)

const places: readonly string[] = ['city', 'state', 'location'] satisfies VehicleField[]

/** Whether anything was typed: the place is there from the start. */
export function isTouched(vehicle: VehicleDraft): boolean {
  return fields.some((field) => !places.includes(field) && vehicle[field].trim() !== '')
}

/** As the server takes it: numbers as numbers, what is empty or cannot be read left out. */
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

/** The fields that differ between two drafts of a vehicle, as a patch takes them; a field that was emptied is cleared. */
export function changedFields(vehicle: VehicleDraft, before: VehicleDraft): Omit<VehicleChange, 'id'> {
  const [now, was] = [vehicle, before].map((draft) => new Map<string, unknown>(Object.entries(toNewVehicle(draft))))
  const changed = [...fields, 'atDealership'].filter((field) => now?.get(field) !== was?.get(field))
  return Object.fromEntries(changed.map((field) => [field, now?.get(field) ?? (figures.includes(field) ? null : '')]))
}

/** Mileage, price and place in a line, of what is known. */
export function vehicleFacts(vehicle: VehicleDraft, place: string): string {
  const { mileage, price } = toNewVehicle(vehicle)
  const facts = [mileage !== undefined && formatMileage(mileage), price !== undefined && formatMoney(price), place]
  return facts.filter(Boolean).join(' · ')
}

/** What is known of a vehicle by its VIN. */
export interface FoundByVin extends DecodedVin {
  trim?: string
}

const told = ['year', 'make', 'model', 'trim'] as const

/** What was typed is the dealer's: the VIN does not answer for it any more. */
export function withText(vehicle: VehicleDraft, field: VehicleField, text: string): VehicleDraft {
  return { ...vehicle, [field]: text, fromVin: vehicle.fromVin.filter((filled) => filled !== field) }
}

/** Another VIN: what the last one told, and nobody touched since, is not known of it. */
export function withVin(vehicle: VehicleDraft, vin: string): VehicleDraft {
  if (vin === vehicle.vin) return vehicle
  const unknown = Object.fromEntries(vehicle.fromVin.map((field) => [field, '']))
  return { ...vehicle, ...unknown, vin, fromVin: [], scanned: false }
}

/** The same by the camera. */
export const withScannedVin = (vehicle: VehicleDraft, vin: string): VehicleDraft => ({
  ...withVin(vehicle, vin),
  scanned: true,
})

/** Year, make and model are what the VIN says: nobody has to look at their fields. */
export const isTold = ({ fromVin }: VehicleDraft): boolean =>
  (['year', 'make', 'model'] satisfies VehicleField[]).every((field) => fromVin.includes(field))

/** Fills what is empty, or came from the VIN before; typed values are never overwritten. */
export function fillFromVin(vehicle: VehicleDraft, known: FoundByVin): VehicleDraft {
  const filled = told.filter(
    (field) => (known[field] ?? '') !== '' && (vehicle[field].trim() === '' || vehicle.fromVin.includes(field)),
  )
  const found = Object.fromEntries(filled.map((field) => [field, String(known[field])]))
  return { ...vehicle, ...found, fromVin: [...new Set([...vehicle.fromVin, ...filled])] }
}
