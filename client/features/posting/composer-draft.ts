import { isFlag, isListOf, isShape, isText } from '#client/lib/guards.ts'
import { newId } from '#client/lib/new-id.ts'
import { defineStored } from '#client/lib/storage.ts'
import { composerFacilitators } from '#shared/facilitators.ts'
import type { NewPost, NewVehicle } from '#shared/schemas/posts.ts'
import { vinLength } from '#shared/limits.ts'
import { speaksOfAuction } from '#shared/auction-rules.ts'
import { type AuctionDraft, auctionTermsOf, emptyAuctionDraft, isAuctionDraft } from './auction-draft.ts'
import { type VinFields, vinFieldGuards } from './from-vin.ts'
import { isKeptPhoto, type KeptPhoto } from './photo-queue.ts'
import { numberOf } from './vehicle-draft.ts'

/** A vehicle in the composer, as it is typed. Its photos are in the queue under its key. */
export interface ComposerVehicle extends VinFields {
  key: string
  mileage: string
  price: string
  notes: string
  location: string
  atDealership: boolean
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

/** By dealer. */
export const storedComposerDraft = defineStored<ComposerDraft>({
  key: 'lanewire.posting.composer',
  version: 1,
  isValue: isShape<ComposerDraft>({
    title: isText,
    text: isText,
    auctionFacilitator: isText,
    auction: isAuctionDraft,
    vehicles: isListOf(
      isShape<ComposerVehicle>({
        ...vinFieldGuards,
        key: isText,
        mileage: isText,
        price: isText,
        notes: isText,
        location: isText,
        atDealership: isFlag,
      }),
    ),
    photos: isListOf(isKeptPhoto),
  }),
})

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
  return { key: newId(), ...blank, location, atDealership: true, fromVin: [] }
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

/** Add needs vin, make and model. */
export function canAdd({ vin, make, model }: ComposerVehicle): boolean {
  return vin.length === vinLength && make.trim() !== '' && model.trim() !== ''
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
