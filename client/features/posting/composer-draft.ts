import { composerFacilitators } from '#shared/facilitators.ts'
import type { NewPost, NewVehicle } from '#shared/schemas/posts.ts'
import type { DecodedVin } from '#shared/vin.ts'
import { vinLength } from '#shared/limits.ts'
import { speaksOfAuction } from '#shared/auction-rules.ts'
import { type AuctionDraft, auctionTermsOf, emptyAuctionDraft } from './auction-draft.ts'
import { type KeptPhoto } from './photo-queue.ts'
import { numberOf } from './vehicle-draft.ts'

/** A vehicle in the composer (spec A §3), as it is typed. Its photos are in the queue under its key. */
export interface ComposerVehicle {
  key: string
  vin: string
  year: string
  make: string
  model: string
  trim: string
  mileage: string
  price: string
  notes: string
  location: string
  atDealership: boolean
  /** Fields whose value came from the VIN and was not touched since. */
  fromVin: readonly TextField[]
}

export type TextField = Exclude<keyof ComposerVehicle, 'key' | 'atDealership' | 'vin' | 'fromVin'>

export interface ComposerDraft {
  title: string
  text: string
  auctionFacilitator: string
  auction: AuctionDraft
  vehicles: readonly ComposerVehicle[]
  photos: readonly KeptPhoto[]
}

const facilitatorNames: Record<(typeof composerFacilitators)[number], string> = {
  manheim: 'Manheim',
  adesa: 'ADESA',
  copart: 'Copart',
  iaai: 'IAAI',
  autoauction: 'AutoAuction',
  custom: 'Custom',
}

export const composerFacilitatorOptions = composerFacilitators.map((value) => ({
  value,
  label: facilitatorNames[value],
}))

export const emptyComposer = (): ComposerDraft => ({
  title: '',
  text: '',
  auctionFacilitator: '',
  auction: emptyAuctionDraft,
  vehicles: [],
  photos: [],
})

export function isComposerTouched({ title, text, vehicles, photos }: ComposerDraft): boolean {
  return title.trim() !== '' || text.trim() !== '' || vehicles.length > 0 || photos.length > 0
}

export function emptyComposerVehicle(location: string): ComposerVehicle {
  const blank = { vin: '', year: '', make: '', model: '', trim: '', mileage: '', price: '', notes: '' }
  return { key: crypto.randomUUID(), ...blank, location, atDealership: true, fromVin: [] }
}

/** A row of a spreadsheet as a vehicle of the composer. */
export function fromSheet(row: NewVehicle, location: string): ComposerVehicle {
  const text = (value: string | number | undefined) => (value === undefined ? '' : String(value))
  const place = row.city && row.state ? `${row.city}, ${row.state}` : (row.location ?? location)
  return {
    ...emptyComposerVehicle(place),
    vin: text(row.vin),
    year: text(row.year),
    make: text(row.make),
    model: text(row.model),
    trim: text(row.trim),
    mileage: text(row.mileage),
    price: text(row.price),
    notes: text(row.notes),
  }
}

/** Add needs vin, make and model (spec A §2). */
export function canAdd({ vin, make, model }: ComposerVehicle): boolean {
  return vin.length === vinLength && make.trim() !== '' && model.trim() !== ''
}

/** What was typed is the dealer's: the VIN does not answer for it any more. */
export function withText(vehicle: ComposerVehicle, field: TextField, text: string): ComposerVehicle {
  return { ...vehicle, [field]: text, fromVin: vehicle.fromVin.filter((filled) => filled !== field) }
}

/** Another VIN: what the last one told, and nobody touched since, is not known of it. */
export function withVin(vehicle: ComposerVehicle, vin: string): ComposerVehicle {
  if (vin === vehicle.vin) return vehicle
  const told = Object.fromEntries(vehicle.fromVin.map((field) => [field, '']))
  return { ...vehicle, ...told, vin, fromVin: [] }
}

/** Fills what is empty; typed values are never overwritten. */
export function fillEmpty(
  vehicle: ComposerVehicle,
  decoded: DecodedVin & { trim?: string | undefined },
): ComposerVehicle {
  const fields = (['year', 'make', 'model', 'trim'] as const).filter(
    (field) => decoded[field] !== undefined && vehicle[field].trim() === '',
  )
  const found = Object.fromEntries(fields.map((field) => [field, String(decoded[field])]))
  return { ...vehicle, ...found, fromVin: [...new Set([...vehicle.fromVin, ...fields])] }
}

/** The documented payload; one vehicle makes it a single post. */
export function toComposerPost(draft: ComposerDraft, dealerId: string, photos: readonly KeptPhoto[]): NewPost {
  const urlsOf = (key: string | undefined) => photos.flatMap(({ vehicle, url }) => (vehicle === key ? [url] : []))
  return {
    dealerId,
    title: draft.title.trim(),
    description: draft.text.trim(),
    type: draft.vehicles.length > 1 ? 'multiple' : 'single',
    auctionFacilitator: draft.auctionFacilitator,
    photoUrls: urlsOf(undefined),
    ...(speaksOfAuction({ title: draft.title, description: draft.text }) && { auction: auctionTermsOf(draft.auction) }),
    vehicles: draft.vehicles.map((vehicle) => toNewVehicle(vehicle, urlsOf(vehicle.key))),
  }
}

function toNewVehicle(vehicle: ComposerVehicle, photos: string[]): NewVehicle {
  const { vin, make, model, trim, notes, location, atDealership } = vehicle
  const texts = Object.entries({ vin, make, model, trim, notes, location })
  return {
    ...Object.fromEntries(texts.flatMap(([name, text]) => (text.trim() ? [[name, text.trim()]] : []))),
    ...numberOf('year', vehicle.year),
    ...numberOf('mileage', vehicle.mileage),
    ...numberOf('price', vehicle.price),
    atDealership,
    photos,
  }
}
