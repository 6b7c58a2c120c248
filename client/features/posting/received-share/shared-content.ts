import { isNumber, isShape, isText } from '#client/lib/http/type-guards.ts'
import { sharedCacheName } from '#client/lib/shared-cache.ts'

interface SharedText {
  title: string
  text: string
  url: string
}

/** How many photos the service worker skipped: too large individually, or over the limit for one share. */
interface SkippedPhotos {
  tooLarge: number
  tooMany: number
}

/** Content that another app shared, as `sw.js` stores it. */
export interface SharedContent extends SharedText {
  photos: File[]
  left: SkippedPhotos
}

/** Milliseconds for which shared content is kept. `sw.js` uses the same limit. */
const keptMs = 24 * 60 * 60_000

const isAbout = isShape<SharedText & { at: number; photos: number; left: SkippedPhotos }>({
  at: isNumber,
  title: isText,
  text: isText,
  url: isText,
  photos: isNumber,
  left: isShape<SkippedPhotos>({ tooLarge: isNumber, tooMany: isNumber }),
})

const pathOf = (id: string) => `/share/${encodeURIComponent(id)}`

/** Reads shared content. Returns undefined if it is unknown or too old, or was deleted on sign-out. */
export async function readShare(id: string): Promise<SharedContent | undefined> {
  if (!('caches' in window) || !(await caches.has(sharedCacheName))) return undefined
  const cache = await caches.open(sharedCacheName)
  const about: unknown = await (await cache.match(pathOf(id)))?.json()
  if (!isAbout(about)) return undefined
  const { at, photos: count, ...words } = about
  if (Date.now() - at > keptMs) {
    await dropShare(id)
    return undefined
  }
  const photos = await Promise.all(Array.from({ length: count }, (_, index) => readPhoto(cache, id, index)))
  return { ...words, photos: photos.filter((photo) => photo !== undefined) }
}

async function readPhoto(cache: Cache, id: string, index: number): Promise<File | undefined> {
  const kept = await cache.match(`${pathOf(id)}/${index}`)
  if (kept === undefined) return undefined
  const name = decodeURIComponent(kept.headers.get('x-name') ?? '') || `photo-${index + 1}.jpg`
  return new File([await kept.arrayBuffer()], name, { type: kept.headers.get('content-type') ?? '' })
}

export async function dropShare(id: string): Promise<void> {
  const cache = await caches.open(sharedCacheName)
  const path = pathOf(id)
  for (const request of await cache.keys()) {
    const { pathname } = new URL(request.url)
    if (pathname === path || pathname.startsWith(`${path}/`)) await cache.delete(request)
  }
}
