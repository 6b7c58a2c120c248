import { isShape, isText } from '#client/lib/guards.ts'
import { newId } from '#client/lib/new-id.ts'
import { vinLength, yearMax, yearMin } from '#shared/limits.ts'
import type { NewVehicle } from '#shared/schemas/posts.ts'
import { type VinFields, vinFieldGuards } from './from-vin.ts'

/** A vehicle as it is being typed: text in every field, as the inputs hold it. */
export interface VehicleDraft extends VinFields {
  key: string
  mileage: string
  price: string
  color: string
  city: string
  state: string
}

export type VehicleField = Exclude<keyof VehicleDraft, 'key' | 'fromVin'>

export const isVehicleDraft = isShape<VehicleDraft>({
  ...vinFieldGuards,
  key: isText,
  mileage: isText,
  price: isText,
  color: isText,
  city: isText,
  state: isText,
})

/** Complete means that all of these are filled. */
const needed = ['vin', 'year', 'make', 'model', 'mileage', 'price', 'city', 'state'] as const

const names: Record<(typeof needed)[number], string> = {
  vin: 'VIN',
  year: 'year',
  make: 'make',
  model: 'model',
  mileage: 'mileage',
  price: 'price',
  city: 'city',
  state: 'state',
}

/** Most vehicles stand where their dealer is. */
export function emptyVehicle(place: { city: string; state: string }): VehicleDraft {
  const blank = { vin: '', year: '', make: '', model: '', trim: '', mileage: '', price: '', color: '' }
  return { key: newId(), ...blank, ...place, fromVin: [] }
}

/** What is still needed, in the order of the form. */
export function missingFields(vehicle: VehicleDraft): string[] {
  return needed.filter((field) => !isFilled(vehicle, field)).map((field) => names[field])
}

export const isComplete = (vehicle: VehicleDraft) => missingFields(vehicle).length === 0

/** Whether anything was typed: the place is there from the start. */
export function isTouched(vehicle: VehicleDraft): boolean {
  const { key: _, fromVin: __, city: ___, state: ____, ...typed } = vehicle
  return Object.values(typed).some((text) => text.trim() !== '')
}

function isFilled(vehicle: VehicleDraft, field: (typeof needed)[number]): boolean {
  const text = vehicle[field].trim()
  if (field === 'vin') return text.length === vinLength
  if (field === 'year') return Number(text) >= yearMin && Number(text) <= yearMax
  if (field === 'price') return text !== '' && Number(text) >= 0
  return text !== ''
}

/** As the server takes it: numbers as numbers, what is empty left out. */
export function toNewVehicle(vehicle: VehicleDraft): NewVehicle {
  const { vin, make, model, trim, city, state, color } = vehicle
  const texts = { vin, make, model, trim, city, state, color }
  return {
    ...Object.fromEntries(Object.entries(texts).flatMap(([key, text]) => (text.trim() ? [[key, text.trim()]] : []))),
    ...numberOf('year', vehicle.year),
    ...numberOf('mileage', vehicle.mileage),
    ...numberOf('price', vehicle.price),
  }
}

export function numberOf(key: 'year' | 'mileage' | 'price', text: string): NewVehicle {
  return text.trim() === '' ? {} : { [key]: Number(text) }
}

/** `2021 Ford F-150 XLT`, of what is known. */
export function vehicleName(vehicle: Pick<VehicleDraft, 'year' | 'make' | 'model' | 'trim'>): string {
  return [vehicle.year, vehicle.make, vehicle.model, vehicle.trim].filter((part) => part.trim() !== '').join(' ')
}
