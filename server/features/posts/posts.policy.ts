import type { NewPost, NewVehicle } from '#shared/schemas/posts.ts'
import { bidsOnceListed, mentionsAuction } from '#shared/auction-rules.ts'
import { isFacilitator } from '#shared/facilitators.ts'
import { photosPerPost } from '#shared/limits.ts'
import { canBeOffered, isComplete, isState, missingFields } from '#shared/vehicle-rules.ts'
import { trimText, trimTitle } from '#shared/visible-text.ts'
import { isWebAddress } from '#shared/web-address.ts'
import { badRequest } from '#server/errors.ts'

/** @throws 400 if the facilitator is neither blank nor on the list */
export function assertFacilitator(facilitator: string | undefined): void {
  if (facilitator && !isFacilitator(facilitator)) throw badRequest('Please choose an auction facilitator from the list')
}

/** Bidders rely on complete data. @throws 400 with the missing fields */
export function assertFitForAuction(vehicles: readonly Parameters<typeof missingFields>[0][]): void {
  const [lacking] = vehicles.flatMap((vehicle) => (isComplete(vehicle) ? [] : [missingFields(vehicle)]))
  if (lacking === undefined) return
  const words = lacking.map((field) => (field === 'vin' ? 'VIN' : field)).join(', ')
  throw badRequest(`A vehicle must be complete before you can auction it. Still needed: ${words}`)
}

/** Splits a `location` such as 'Dallas, TX' into city and state, so that a search by city finds the vehicle. */
function withPlace(vehicle: NewVehicle): NewVehicle {
  const [, city, state] = /^(.{1,80}), ([A-Z]{2})$/.exec(vehicle.location ?? '') ?? []
  if (city === undefined || state === undefined || vehicle.city || !isState(state)) return vehicle
  return { ...vehicle, city, state }
}

/** Bidding can open only on a post that mentions an auction. @throws 400 otherwise */
export function assertMentionsAuction(post: { title: string; description?: string | undefined }): void {
  if (!mentionsAuction(post)) throw badRequest('To run an auction, mention it in the title or description')
}

function assertCanOpen({ type, auction, ...words }: NewPost): void {
  if (auction === undefined) return
  if (type === 'spreadsheet') throw badRequest(bidsOnceListed)
  assertMentionsAuction(words)
}

/** @throws 400 if a spreadsheet post has no link, or the link is not a web address */
function checkedLink({ type, spreadsheetUrl = '' }: NewPost): string {
  const url = trimText(spreadsheetUrl)
  if (url === '' && type === 'spreadsheet') throw badRequest('Please enter a spreadsheet URL')
  if (url !== '' && !isWebAddress(url)) throw badRequest('Please enter a spreadsheet URL that starts with https://')
  return url
}

/** Drops incomplete vehicles, and all vehicles of a spreadsheet post. Lists each photo once. @throws 400 if a field is invalid */
export function validatePost(input: NewPost): {
  title: string
  spreadsheetUrl: string
  vehicles: NewVehicle[]
  photos: { url: string; vehicle?: number }[]
} {
  const title = trimTitle(input.title)
  if (title === '') throw badRequest('Please enter a title for your post')
  assertFacilitator(input.auctionFacilitator)
  assertCanOpen({ ...input, title })
  // A job adds the vehicles of a spreadsheet post once it has read the sheet.
  const vehicles = input.type === 'spreadsheet' ? [] : (input.vehicles ?? []).filter(canBeOffered).map(withPlace)
  const spreadsheetUrl = checkedLink(input)
  if (input.type !== 'spreadsheet' && vehicles.length === 0)
    throw badRequest("Please complete at least one vehicle's information")
  if (input.auction !== undefined) assertFitForAuction(vehicles)
  const photos = new Map<string, { url: string; vehicle?: number }>()
  for (const url of input.photoUrls ?? []) photos.set(url, { url })
  vehicles.forEach((vehicle, index) => {
    for (const url of vehicle.photos ?? []) photos.set(url, { url, vehicle: index })
  })
  if (photos.size > photosPerPost) throw badRequest(`Maximum ${photosPerPost} photos allowed`)
  return { title, spreadsheetUrl, vehicles, photos: [...photos.values()] }
}
