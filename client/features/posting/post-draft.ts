import { isListOf, isOneOf, isShape, isText } from '#client/lib/guards.ts'
import { defineStored } from '#client/lib/storage.ts'
import type { ToastInput } from '#client/ui/toast-store.ts'
import type { CurrentUser } from '#shared/schemas/dealers.ts'
import { type NewPost, type PostType, postTypes } from '#shared/schemas/posts.ts'
import { usStates } from '#shared/places.ts'
import { speaksOfAuction } from '#shared/auction-rules.ts'
import { type AuctionDraft, auctionFaults, auctionTermsOf, emptyAuctionDraft, isAuctionDraft } from './auction-draft.ts'
import { isKeptPhoto, type KeptPhoto } from './photo-queue.ts'
import {
  emptyVehicle,
  isComplete,
  isTouched,
  isVehicleDraft,
  toNewVehicle,
  type VehicleDraft,
} from './vehicle-draft.ts'

/** The Post Inventory dialog as it is being filled in. */
export interface PostDraft {
  type: PostType
  title: string
  description: string
  auctionFacilitator: string
  spreadsheetUrl: string
  auction: AuctionDraft
  /** The first is the single vehicle; the others show under Multiple vehicles. */
  vehicles: readonly VehicleDraft[]
  photos: readonly KeptPhoto[]
}

/** By dealer. */
export const storedPostDraft = defineStored<PostDraft>({
  key: 'lanewire.posting.dialog',
  version: 1,
  isValue: isShape<PostDraft>({
    type: isOneOf(postTypes),
    title: isText,
    description: isText,
    auctionFacilitator: isText,
    spreadsheetUrl: isText,
    auction: isAuctionDraft,
    vehicles: isListOf(isVehicleDraft),
    photos: isListOf(isKeptPhoto),
  }),
})

type Place = Pick<CurrentUser, 'city' | 'state'>

export function emptyDraft(place: Place): PostDraft {
  return {
    type: 'single',
    title: '',
    description: '',
    auctionFacilitator: '',
    spreadsheetUrl: '',
    auction: emptyAuctionDraft,
    vehicles: [emptyVehicle(placeOf(place))],
    photos: [],
  }
}

/** A Canadian dealer's province is not among the 50 states the form offers. */
export function placeOf({ city, state }: Place): { city: string; state: string } {
  return { city, state: usStates.find((known) => known === state) ?? '' }
}

export function isDraftTouched({ title, description, spreadsheetUrl, vehicles, photos }: PostDraft): boolean {
  const typed = [title, description, spreadsheetUrl].some((text) => text.trim() !== '')
  return typed || photos.length > 0 || vehicles.some(isTouched)
}

/** The vehicles that the chosen tab shows. */
export function shownVehicles({ type, vehicles }: PostDraft): readonly VehicleDraft[] {
  if (type === 'spreadsheet') return []
  return type === 'single' ? vehicles.slice(0, 1) : vehicles
}

export type DraftFault = 'title' | 'vehicles' | 'spreadsheetUrl' | 'auction'

export const faultToasts: Record<DraftFault, Required<ToastInput>> = {
  title: {
    title: 'Title required',
    description: 'Please enter a title for your post',
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
    title: 'Auction terms not usable',
    description: 'Please check the amounts and times of the auction',
    variant: 'destructive',
  },
}

/** The first thing that is wrong, in the documented order: title, then vehicles or the link; then the auction. */
export function faultOf(draft: PostDraft): DraftFault | undefined {
  if (draft.title.trim() === '') return 'title'
  if (draft.type === 'spreadsheet') {
    if (draft.spreadsheetUrl.trim() === '') return 'spreadsheetUrl'
  } else if (!shownVehicles(draft).some(isComplete)) return 'vehicles'
  return hasAuctionFault(draft.title, draft.description, draft.auction) ? 'auction' : undefined
}

/** The post speaks of an auction, and what was typed for it cannot go out. */
export function hasAuctionFault(title: string, text: string, auction: AuctionDraft): boolean {
  return speaksOfAuction({ title, description: text }) && Object.keys(auctionFaults(auction)).length > 0
}

/** The documented payload. Incomplete vehicles are dropped. */
export function toNewPost(draft: PostDraft, dealerId: string, photoUrls: string[]): NewPost {
  const { type, title, description, auctionFacilitator, spreadsheetUrl } = draft
  const vehicles = shownVehicles(draft).filter(isComplete).map(toNewVehicle)
  return {
    dealerId,
    title: title.trim(),
    description: description.trim(),
    type,
    auctionFacilitator,
    photoUrls,
    ...(speaksOfAuction({ title, description }) && { auction: auctionTermsOf(draft.auction) }),
    ...(type === 'spreadsheet' ? { spreadsheetUrl: spreadsheetUrl.trim() } : { vehicles }),
  }
}
