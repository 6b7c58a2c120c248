import type { MarketPosition, Post, PostDetail } from '#shared/schemas/posts.ts'
import type { PictureAngle } from '#shared/schemas/uploads.ts'
import { isWebAddress } from '#shared/web-address.ts'
import { formatNumber } from '#client/ui/format.ts'

export function readSummary(aiSummary: string | null): { bullets: string[] } | { raw: string } | undefined {
  if (aiSummary === null) return undefined
  try {
    const parsed: unknown = JSON.parse(aiSummary)
    if (Array.isArray(parsed)) return { bullets: parsed.flatMap(textOf) }
  } catch {
    // The summary is plain text instead of JSON.
  }
  return { raw: aiSummary }
}

const evenPercent = 0.5

export function marketLine({ percent, count, dealers }: MarketPosition, subject: string): string {
  const among = `${formatNumber(count)} comparable vehicles from ${formatNumber(dealers)} other dealers`
  if (Math.abs(percent) < evenPercent) return `${subject} in line with ${among}`
  return `${subject} ${Math.abs(percent).toFixed(1)}% ${percent < 0 ? 'below' : 'above'} ${among}`
}

function textOf(item: unknown): string[] {
  return typeof item === 'object' && item !== null && 'text' in item && typeof item.text === 'string' ? [item.text] : []
}

/** Returns the numbers of available vehicles and comments. On a post's page, counts the vehicles instead of using the server's count. */
export function countsOf(post: Post | PostDetail): { active: number; comments: number } {
  const { availableCount, commentCount, vehicles } = post
  if (!('comments' in post)) return { active: availableCount, comments: commentCount }
  return { active: vehicles.filter(({ status }) => status === 'available').length, comments: commentCount }
}

export interface PostPhoto {
  src: string
  /**
   * The photo's description, such as `2021 Ford F-150 XLT, side view`. Starts with the post's title if the photo does not show one vehicle.
   */
  label: string
  tint: string | null
}

const angleWords: Record<PictureAngle, string> = {
  front: 'front three-quarter view',
  side: 'side view',
  rear: 'rear three-quarter view',
  dash: 'dashboard',
  odometer: 'odometer',
  damage: 'close-up of the damage',
}

export type Pictured = Pick<Post, 'title' | 'photoUrls' | 'photoInfo'>

export function toPhoto({ title, photoInfo }: Pictured, src: string, index: number): PostPhoto {
  const info = photoInfo?.[index]
  const shows = info?.shows ? angleWords[info.shows] : undefined
  return { src, label: [info?.name || title, shows].filter(Boolean).join(', '), tint: info?.tint ?? null }
}

/** Orders a card's photos: the post's own first, then the first photo of each vehicle, then the second of each, and so on. */
export function cardPhotos(post: Pictured): PostPhoto[] {
  const counts = new Map<number, number>()
  const turnOf = (index: number) => {
    const vehicle = post.photoInfo?.[index]?.vehicle ?? -1
    const turn = vehicle < 0 ? 0 : (counts.get(vehicle) ?? 0) + 1
    counts.set(vehicle, turn)
    return turn
  }
  return post.photoUrls
    .map((src, index) => ({ photo: toPhoto(post, src, index), turn: turnOf(index) }))
    .toSorted((a, b) => a.turn - b.turn)
    .map(({ photo }) => photo)
}

export function webAddress(address: string | null): string | undefined {
  return address !== null && isWebAddress(address) ? address : undefined
}
