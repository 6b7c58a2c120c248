import type { MarketPosition, Post, PostDetail } from '#shared/schemas/posts.ts'

/** The list of facts, the raw text, or nothing yet. */
export function readSummary(aiSummary: string | null): { bullets: string[] } | { raw: string } | undefined {
  if (aiSummary === null) return undefined
  try {
    const parsed: unknown = JSON.parse(aiSummary)
    if (Array.isArray(parsed)) return { bullets: parsed.flatMap(textOf) }
  } catch {
    // Not JSON: the text is the summary.
  }
  return { raw: aiSummary }
}

const evenPercent = 0.5

/** `Priced 3.2% under 8 comparable vehicles of 4 other dealers` */
export function marketLine({ percent, count, dealers }: MarketPosition, subject: string): string {
  const among = `${count} comparable vehicles of ${dealers} other dealers`
  if (Math.abs(percent) < evenPercent) return `${subject} level with ${among}`
  return `${subject} ${Math.abs(percent).toFixed(1)}% ${percent < 0 ? 'under' : 'over'} ${among}`
}

function textOf(item: unknown): string[] {
  return typeof item === 'object' && item !== null && 'text' in item && typeof item.text === 'string' ? [item.text] : []
}

/** In the feed as the server counts, in the single post from its vehicles. Of the comments a page alone is here. */
export function countsOf(post: Post | PostDetail): { active: number; comments: number } {
  const { availableCount, commentCount, vehicles } = post
  if (!('comments' in post)) return { active: availableCount, comments: commentCount }
  return { active: vehicles.filter(({ status }) => status === 'available').length, comments: commentCount }
}

/** `2021 Ford F-150 XLT`, from what is known. */
export function vehicleName(vehicle: {
  year: number | null
  make: string | null
  model: string | null
  trim: string | null
}): string {
  return [vehicle.year, vehicle.make, vehicle.model, vehicle.trim].filter(Boolean).join(' ')
}

/** The photos of the post itself, then those of each vehicle that has its own, under its name. */
export function photoGroups({ photoUrls, vehicles }: Pick<PostDetail, 'photoUrls' | 'vehicles'>) {
  const ofVehicles = new Set(vehicles.flatMap(({ photos }) => photos))
  const own = { subject: undefined, photos: photoUrls.filter((url) => !ofVehicles.has(url)) }
  const groups = vehicles.map((vehicle) => ({ subject: vehicleName(vehicle) || 'Vehicle', photos: vehicle.photos }))
  return [own, ...groups].filter(({ photos }) => photos.length > 0)
}

/** Only addresses of the web: anything else in a link would run or open something. */
export function webAddress(address: string | null): string | undefined {
  return address && /^https?:\/\//i.test(address) ? address : undefined
}
