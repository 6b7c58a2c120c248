import { cutText } from '#shared/cut-text.ts'
import { isListOf, isNumber, isOneOf, isOptional, isShape, isText } from '#client/lib/http/type-guards.ts'
import { defineStored } from '#client/lib/storage/browser-storage.ts'
import { formatVehicle } from '#client/ui/format.ts'
import type { ToastInput } from '#client/ui/toast-store.ts'
import { mentionsAuction } from '#shared/auction-rules.ts'
import { titleMax } from '#shared/limits.ts'
import { isState } from '#shared/vehicle-rules.ts'
import type { CurrentUser } from '#shared/schemas/dealers.ts'
import { postTypes } from '#shared/constants/posts.ts'
import type { NewPost, PostDetail, PostPatch, PostType, VehicleChange, VehicleChanges } from '#shared/schemas/posts.ts'
import { isBlank } from '#shared/visible-text.ts'
import { type AuctionDraft, auctionFaults, auctionTermsOf, emptyAuctionDraft, isAuctionDraft } from './auction-draft.ts'
import { isKeptPhoto, type KeptPhoto } from './photos/photo-queue.ts'
import {
  canBePosted,
  changedFields,
  isTouched,
  isVehicleDraft,
  toNewVehicle,
  type VehicleDraft,
  vehicleOfPost,
} from './vehicle-draft.ts'

interface SeenLink {
  url: string
  vehicles: number
  prices: number
  vins?: number | undefined
  vehiclesKey?: string | undefined
}

export interface PostDraft {
  type: PostType
  title: string
  description: string
  auctionFacilitator: string
  spreadsheetUrl: string
  /** The numbers of vehicles, prices and VINs that the dealer saw in the preview of this link. */
  sheetSeen?: SeenLink | undefined
  auction: AuctionDraft
  /** A draft in the Post Inventory dialog always has at least one vehicle. The Single Vehicle tab uses only the first one. */
  vehicles: readonly VehicleDraft[]
  photos: readonly KeptPhoto[]
  adding?: VehicleDraft | undefined
}

const isSeenLink = isShape<SeenLink>({
  url: isText,
  vehicles: isNumber,
  prices: isNumber,
  vins: isOptional(isNumber),
  vehiclesKey: isOptional(isText),
})

export const isPostDraft = isShape<PostDraft>({
  type: isOneOf(postTypes),
  title: isText,
  description: isText,
  auctionFacilitator: isText,
  spreadsheetUrl: isText,
  sheetSeen: isOptional(isSeenLink),
  auction: isAuctionDraft,
  vehicles: isListOf(isVehicleDraft),
  photos: isListOf(isKeptPhoto),
  adding: isOptional(isVehicleDraft),
})

/** Stored drafts, keyed by form and dealer: `dialog.<dealer>`. */
export const storedPostDraft = defineStored<PostDraft>({ key: 'lanewire.posting', version: 5, isValue: isPostDraft })

export function emptyDraft(...vehicles: VehicleDraft[]): PostDraft {
  return {
    type: 'single',
    title: '',
    description: '',
    auctionFacilitator: '',
    spreadsheetUrl: '',
    auction: emptyAuctionDraft,
    vehicles,
    photos: [],
  }
}

/** Returns a draft for editing a post, without the terms of an existing auction. */
export function draftOfPost(post: PostDetail): PostDraft {
  const { type, title, description, auctionFacilitator, spreadsheetUrl, vehicles, photoUrls } = post
  return {
    type,
    title,
    description,
    auctionFacilitator: auctionFacilitator ?? '',
    spreadsheetUrl: spreadsheetUrl ?? '',
    auction: { ...emptyAuctionDraft, on: false },
    vehicles: vehicles.map(vehicleOfPost),
    photos: photoUrls.map((url, index) => {
      const vehicle = vehicles.find(({ photos }) => photos.includes(url))?.id
      return { name: `Photo ${index + 1}`, vehicle, url, ready: true }
    }),
  }
}

const photosOf = ({ photos }: PostDraft, key: string | undefined) =>
  photos.flatMap(({ vehicle, url }) => (vehicle === key ? url : []))

export function placeOf({ city, state }: Pick<CurrentUser, 'city' | 'state'>): { city: string; state: string } {
  return { city, state: isState(state) ? state : '' }
}

/** A photo and the key of its vehicle, if it belongs to one. */
type PhotoPlace = Pick<KeptPhoto, 'vehicle'>

/** True if the draft has text or photos. `photos` may include photos that are not uploaded yet. */
export function isDraftTouched(
  { title, description, spreadsheetUrl, vehicles, adding, ...draft }: PostDraft,
  photos: readonly PhotoPlace[] = draft.photos,
): boolean {
  const typed = [title, description, spreadsheetUrl].some((text) => text.trim() !== '')
  return typed || photos.length > 0 || [...vehicles, ...(adding ? [adding] : [])].some(isTouched)
}

/** Returns the vehicles of the selected tab. Only these are posted. */
export function shownVehicles({ type, vehicles }: PostDraft): readonly VehicleDraft[] {
  if (type === 'spreadsheet') return []
  return type === 'single' ? vehicles.slice(0, 1) : vehicles
}

/** True if the vehicle has text or photos. `photos` includes photos that are not uploaded yet. */
const isBegun = (vehicle: VehicleDraft, photos: readonly PhotoPlace[]) =>
  isTouched(vehicle) || photos.some((photo) => photo.vehicle === vehicle.key)

const postedVehicles = (draft: PostDraft) => shownVehicles(draft).filter(canBePosted)

/** Returns the vehicles with text or photos that the post would leave out: incomplete vehicles, and those of another tab. */
export function leftVehicles(draft: PostDraft, photos: readonly PhotoPlace[]): VehicleDraft[] {
  const posted = postedVehicles(draft)
  return draft.vehicles.filter((vehicle) => !posted.includes(vehicle) && isBegun(vehicle, photos))
}

/** Returns a predicate for the photos that the post contains: its own, and those of the vehicles that it does not leave out. */
export function isPosted(draft: PostDraft): (photo: PhotoPlace) => boolean {
  const keys = new Set(postedVehicles(draft).map(({ key }) => key))
  return ({ vehicle }) => vehicle === undefined || keys.has(vehicle)
}

/** Returns the draft without the vehicles that the post leaves out. `empty` is an empty draft of the form. */
export function withoutLeft(draft: PostDraft, empty: PostDraft): PostDraft {
  const vehicles = postedVehicles(draft)
  return {
    ...draft,
    vehicles: vehicles.length > 0 ? vehicles : empty.vehicles,
    photos: draft.photos.filter(isPosted(draft)),
    adding: undefined,
  }
}

/**
 * Returns the part of a draft that remains once `posted` is posted: other vehicles with text or photos, and a spreadsheet link that was
 * typed under another tab.
 */
export function withoutPosted(
  draft: PostDraft,
  empty: PostDraft,
  { posted, photos }: { posted: PostDraft; photos: readonly PhotoPlace[] },
): PostDraft {
  const keys = new Set(posted.vehicles.map(({ key }) => key))
  const isKept = (vehicle: VehicleDraft) => !keys.has(vehicle.key) && isBegun(vehicle, photos)
  const vehicles = draft.vehicles.filter(isKept)
  const adding = draft.adding && isKept(draft.adding) ? draft.adding : undefined
  const kept = new Set([...vehicles, ...(adding ? [adding] : [])].map(({ key }) => key))
  const link = posted.type === 'spreadsheet' ? {} : { spreadsheetUrl: draft.spreadsheetUrl, sheetSeen: draft.sheetSeen }
  return {
    ...empty,
    sheetSeen: undefined,
    ...link,
    type: typeOfRest(vehicles, link.spreadsheetUrl),
    vehicles: vehicles.length > 0 ? vehicles : empty.vehicles,
    photos: draft.photos.filter(({ vehicle: key }) => key !== undefined && kept.has(key)),
    adding,
  }
}

function typeOfRest(vehicles: readonly VehicleDraft[], link = ''): PostType {
  if (vehicles.length > 1) return 'multiple'
  return vehicles.length === 0 && link.trim() !== '' ? 'spreadsheet' : 'single'
}

function suggestedTitle(vehicles: readonly VehicleDraft[]): string {
  const [first, ...others] = vehicles.filter(({ make }) => make.trim() !== '').map(formatVehicle)
  if (first === undefined) return ''
  return cutText(others.length > 0 ? `${first} and ${others.length} more` : first, titleMax)
}

/** Updates the title that was suggested from the vehicles after a VIN filled one of them. Never changes a title that the dealer typed. */
export function withTitle(before: PostDraft, draft: PostDraft): PostDraft {
  if (draft.vehicles === before.vehicles || draft.title !== before.title) return draft
  const isSuggested = draft.title === suggestedTitle(shownVehicles(before))
  const shown = shownVehicles(draft)
  return isSuggested && shown.some(({ scanned, fromVin }) => scanned || fromVin.length > 0)
    ? { ...draft, title: suggestedTitle(shown) }
    : draft
}

/** `bound` is true if the auction has a bid, so the title and first vehicle cannot change. */
export interface Editing {
  bound: boolean
}

export type DraftFault = 'title' | 'adding' | 'vehicles' | 'spreadsheetUrl' | 'auction'

/** The draft fields that can cause each error. A change to one of these fields clears the error. */
export const fieldsOfFault: Record<DraftFault, readonly (keyof PostDraft)[]> = {
  title: ['title'],
  adding: ['adding'],
  vehicles: ['vehicles', 'type'],
  spreadsheetUrl: ['spreadsheetUrl', 'type'],
  auction: ['auction'],
}

export const faultToasts: Record<DraftFault, Required<Omit<ToastInput, 'links'>>> = {
  title: {
    title: 'Title required',
    description: 'Please enter a title for your post',
    variant: 'destructive',
  },
  adding: {
    title: 'Vehicle not added',
    description: 'Choose Add to include it in the post, or close its card',
    variant: 'destructive',
  },
  vehicles: {
    title: 'Vehicle information required',
    description: "Please complete at least one vehicle's information",
    variant: 'destructive',
  },
  spreadsheetUrl: {
    title: 'Spreadsheet URL required',
    description: 'Please enter a spreadsheet URL',
    variant: 'destructive',
  },
  auction: {
    title: 'Check the auction terms',
    description: 'Please check the amounts and times of the auction',
    variant: 'destructive',
  },
}

/** Shown if an edited unsent post would leave out vehicles. Unlike a new post, it has no draft in which they could stay. */
export const vehiclesLeftOut: ToastInput = {
  title: 'Vehicles left out',
  description: 'Complete or remove every vehicle under Multiple Vehicles, and post from there',
  variant: 'destructive',
}

/** Toasts of the edit form. Editing must not silently drop an incomplete vehicle, so the dealer must complete or remove it. */
export const editFaultToasts = {
  ...faultToasts,
  vehicles: { ...faultToasts.vehicles, description: 'Please complete every vehicle, or remove it' },
}

/** True if the open Add card has data or photos. That vehicle is not attached yet, so it would not be posted. */
const hasUnaddedVehicle = ({ adding }: PostDraft, photos: readonly PhotoPlace[]) =>
  adding !== undefined && isBegun(adding, photos)

/**
 * Returns all validation errors. The toast reports only the first error, so their order matters. `photos` may include photos that are not
 * uploaded yet.
 */
export function faultsOf(
  draft: PostDraft,
  { editing, photos = draft.photos }: { editing?: Editing | undefined; photos?: readonly PhotoPlace[] } = {},
): DraftFault[] {
  const found: (DraftFault | undefined)[] = [
    isBlank(draft.title) ? 'title' : undefined,
    hasUnaddedVehicle(draft, photos) ? 'adding' : undefined,
    editing ? faultOfEdited(draft, editing) : faultOfNew(draft),
    hasAuctionFault(draft) ? 'auction' : undefined,
  ]
  return found.filter((fault) => fault !== undefined)
}

function faultOfNew(draft: PostDraft): DraftFault | undefined {
  if (draft.type === 'spreadsheet') return isBlank(draft.spreadsheetUrl) ? 'spreadsheetUrl' : undefined
  return shownVehicles(draft).some(canBePosted) ? undefined : 'vehicles'
}

function faultOfEdited({ type, vehicles }: PostDraft, { bound }: Editing): DraftFault | undefined {
  const free = bound ? vehicles.slice(1) : vehicles
  return type === 'spreadsheet' || free.every(canBePosted) ? undefined : 'vehicles'
}

/** True if the post opens an auction. Always false for a new spreadsheet post, because its vehicles are not listed yet. */
export const opensBidding = (draft: PostDraft): boolean =>
  mentionsAuction(draft) &&
  draft.auction.on &&
  (draft.type !== 'spreadsheet' || draft.vehicles.every(({ id }) => id !== undefined))

const hasAuctionFault = (draft: PostDraft) =>
  opensBidding(draft) && Object.keys(auctionFaults(draft.auction)).length > 0

export function toNewPost(draft: PostDraft, dealerId: string): NewPost {
  const { type } = draft
  const vehicles = shownVehicles(draft)
    .filter(canBePosted)
    .map((vehicle) => toNewVehicle(vehicle, photosOf(draft, vehicle.key)))
  return {
    dealerId,
    type,
    ...textFieldsOf(draft),
    photoUrls: photosOf(draft, undefined),
    ...(opensBidding(draft) && { auction: auctionTermsOf(draft.auction) }),
    ...(type === 'spreadsheet' ? linkOf(draft) : { vehicles }),
  }
}

/** Returns the link and the counts from its preview. Without a preview, the counts are zero, so the first import needs approval. */
function linkOf({ spreadsheetUrl, sheetSeen }: PostDraft): Pick<NewPost, 'spreadsheetUrl' | 'sheetSeen'> {
  const url = spreadsheetUrl.trim()
  if (sheetSeen?.url !== url) return { spreadsheetUrl: url, sheetSeen: { vehicles: 0, prices: 0 } }
  const { vehicles, prices, vins, vehiclesKey } = sheetSeen
  const more = { ...(vins !== undefined && { vins }), ...(vehiclesKey !== undefined && { vehiclesKey }) }
  return { spreadsheetUrl: url, sheetSeen: { vehicles, prices, ...more } }
}

export function toPatch(draft: PostDraft, post: PostDetail, { bound }: Editing): PostPatch {
  const opened = draftOfPost(post)
  const edited = bound ? withLotOf(opened, draft) : draft
  const before = new Map<string, unknown>(Object.entries(changeableOf(opened)))
  const changed = Object.entries(changeableOf(edited)).filter(([name, value]) => !isSame(value, before.get(name)))
  const vehicleChanges = vehicleChangesOf(edited, opened)
  return {
    ...Object.fromEntries(changed),
    ...(changed.some(([name]) => name === 'photoUrls') && { photoUrlsRead: photosOf(opened, undefined) }),
    ...(Object.keys(vehicleChanges).length > 0 && { vehicleChanges }),
    ...(opensBidding(draft) && { auction: auctionTermsOf(draft.auction) }),
  }
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** Restores the original title and first vehicle, which cannot change while the auction has a bid. */
function withLotOf({ title, vehicles: [lot] }: PostDraft, draft: PostDraft): PostDraft {
  const others = draft.vehicles.filter(({ key }) => key !== lot?.key)
  return { ...draft, title, vehicles: lot ? [lot, ...others] : others }
}

const changeableOf = (draft: PostDraft) =>
  ({ ...textFieldsOf(draft), photoUrls: photosOf(draft, undefined) }) satisfies PostPatch

/** Returns only the changes made in this form, so that changes from other tabs are kept. */
function vehicleChangesOf(draft: PostDraft, opened: PostDraft): VehicleChanges {
  const changed = draft.vehicles.flatMap((vehicle) => vehicleChangeOf(vehicle, draft, opened) ?? [])
  const added = draft.vehicles
    .filter(({ id }) => id === undefined)
    .map((vehicle) => ({ ...toNewVehicle(vehicle, photosOf(draft, vehicle.key)), status: vehicle.status }))
  const left = new Set(draft.vehicles.map(({ key }) => key))
  const removed = opened.vehicles.flatMap(({ key, id }) => (id === undefined || left.has(key) ? [] : id))
  return {
    ...(changed.length > 0 && { changed }),
    ...(added.length > 0 && { added }),
    ...(removed.length > 0 && { removed }),
  }
}

function vehicleChangeOf(vehicle: VehicleDraft, draft: PostDraft, opened: PostDraft): VehicleChange | undefined {
  const before = opened.vehicles.find(({ key }) => key === vehicle.key)
  if (before?.id === undefined) return undefined
  const photos = photosOf(draft, vehicle.key)
  const photosRead = photosOf(opened, before.key)
  const change = {
    ...changedFields(vehicle, before),
    ...(vehicle.status !== before.status && { status: vehicle.status }),
    ...(!isSame(photos, photosRead) && { photos, photosRead }),
  }
  return Object.keys(change).length > 0 ? { ...change, id: before.id } : undefined
}

const textFieldsOf = ({ title, description, auctionFacilitator }: PostDraft) => ({
  title: title.trim(),
  description: description.trim(),
  auctionFacilitator,
})
