import type { NewPost, NewVehicle } from '#shared/schemas/posts.ts'
import { speaksOfAuction } from '#shared/auction-rules.ts'
import { photosPerPost } from '#shared/limits.ts'
import { badRequest } from '#server/errors.ts'

/** Complete means: vin, year, make, model, mileage, price, city and state are filled. */
export function isComplete(vehicle: NewVehicle): boolean {
  const { vin, year, make, model, mileage, price, city, state } = vehicle
  return (
    [vin, make, model, city, state].every((text) => text !== undefined && text.trim() !== '') &&
    [year, mileage, price].every((number) => number !== undefined)
  )
}

/** The composer asks for vin, make and model only, and always says whether the vehicle is at the dealership. */
export function isFromComposer({ vin, make, model, atDealership }: NewVehicle): boolean {
  return atDealership !== undefined && [vin, make, model].every((text) => text !== undefined && text.trim() !== '')
}

/** The composer's `location` is 'City, ST' where the dealer keeps to that; then the vehicle is found by its city. */
function withPlace(vehicle: NewVehicle): NewVehicle {
  const [, city, state] = /^(.{1,80}), ([A-Z]{2})$/.exec(vehicle.location ?? '') ?? []
  return city === undefined || state === undefined || vehicle.city ? vehicle : { ...vehicle, city, state }
}

/** Bidding opens only where readers are told of it. @throws 400 */
export function assertSpeaks(post: { title: string; description?: string | undefined }): void {
  if (!speaksOfAuction(post)) throw badRequest('The post speaks of no auction: say so in its title or description')
}

function assertWebUrl(url: string): void {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw badRequest('Please enter a spreadsheet URL that starts with https://')
}

/**
 * The rules of posting in their order: title, then vehicles or the spreadsheet. Incomplete vehicles are dropped.
 * Photos of a vehicle follow those of the post; each URL once.
 */
export function validatePost(input: NewPost): {
  title: string
  vehicles: NewVehicle[]
  photos: { url: string; vehicle?: number }[]
} {
  const title = input.title.trim()
  if (title === '') throw badRequest('Please enter a title for your post')
  if (input.auction !== undefined) assertSpeaks({ ...input, title })
  const vehicles = (input.vehicles ?? [])
    .filter((vehicle) => isComplete(vehicle) || isFromComposer(vehicle))
    .map(withPlace)
  if (input.type === 'spreadsheet') {
    if (input.spreadsheetUrl === undefined || input.spreadsheetUrl.trim() === '')
      throw badRequest('Please enter a spreadsheet URL')
    assertWebUrl(input.spreadsheetUrl)
  } else if (vehicles.length === 0) throw badRequest("Please complete at least one vehicle's information")
  const photos = new Map<string, { url: string; vehicle?: number }>()
  for (const url of input.photoUrls ?? []) photos.set(url, { url })
  vehicles.forEach((vehicle, index) => {
    for (const url of vehicle.photos ?? []) photos.set(url, { url, vehicle: index })
  })
  if (photos.size > photosPerPost) throw badRequest(`Maximum ${photosPerPost} photos allowed`)
  return { title, vehicles, photos: [...photos.values()] }
}
