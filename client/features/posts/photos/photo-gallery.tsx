import Maximize2 from 'lucide-react/icons/maximize-2'
import { useEffect, useRef, useState } from 'react'
import { cx } from '#client/ui/cx.ts'
import { formatVehicle } from '#client/ui/format.ts'
import { IconButton } from '#client/ui/icon-button.tsx'
import { Picture } from '#client/ui/picture.tsx'
import { photoAfterKey, PhotoPlace, PhotoStep } from './photo-steps.tsx'
import { PhotoViewer } from './photo-viewer.tsx'
import type { PostDetail } from '#shared/schemas/posts.ts'
import { type Pictured, type PostPhoto, toPhoto } from '../posts.rules.ts'

interface PhotoGroup {
  subject: string | undefined
  photos: readonly PostPhoto[]
}

export function photoGroups(post: Pictured & Pick<PostDetail, 'vehicles'>) {
  const photos = new Map(post.photoUrls.map((src, index) => [src, toPhoto(post, src, index)]))
  const ofVehicles = new Set(post.vehicles.flatMap(({ photos: urls }) => urls))
  const listed = (urls: readonly string[]) => urls.flatMap((url) => photos.get(url) ?? [])
  const own = { subject: undefined, photos: listed(post.photoUrls.filter((url) => !ofVehicles.has(url))) }
  const groups = post.vehicles.map((vehicle) => ({
    subject: formatVehicle(vehicle) || 'Vehicle',
    photos: listed(vehicle.photos),
  }))
  return [own, ...groups].filter((group) => group.photos.length > 0)
}

interface PhotoGalleryProps {
  groups: readonly PhotoGroup[]
  title: string
  /** True at the top of a phone's screen, where the gallery has the full width. */
  first?: boolean
}

export function PhotoGallery({ groups, title, first = false }: PhotoGalleryProps) {
  const photos = groups.flatMap((group) => group.photos)
  const [index, setIndex] = useState(0)
  const [isLarge, setLarge] = useState(false)
  const go = (to: number) => setIndex((to + photos.length) % photos.length)
  const gallery = useGallery({ index, count: photos.length, go, enlarge: () => setLarge(true) })
  const shown = photos[index] ?? photos[0]
  if (!shown) return null
  return (
    <section ref={gallery} aria-label="Photos" className={first ? '-mx-4 -mt-3 mb-3' : 'mt-3'}>
      <div
        data-enlarge
        className={cx('relative aspect-8/5 overflow-hidden bg-pressed [&_img]:cursor-zoom-in', !first && 'rounded-md')}
      >
        <Picture
          src={shown.src}
          alt={`${shown.label}, ${index + 1} of ${photos.length}`}
          eager="first"
          sizes="(min-width: 768px) 660px, 100vw"
          tint={shown.tint}
          className="absolute inset-0 size-full object-contain"
        />
        <span className="absolute top-2 right-2">
          <IconButton
            label="Enlarge photo"
            icon={<Maximize2 size={18} />}
            onClick={() => setLarge(true)}
            className="bg-surface shadow-2"
          />
        </span>
        {photos.length > 1 ? (
          <>
            <PhotoPlace index={index} count={photos.length} />
            <PhotoStep side="left" onPress={() => go(index - 1)} />
            <PhotoStep side="right" onPress={() => go(index + 1)} />
          </>
        ) : null}
      </div>
      {photos.length > 1 ? <Thumbnails groups={groups} index={index} onChoose={setIndex} /> : null}
      {isLarge ? (
        <PhotoViewer photos={photos} index={index} onIndex={go} title={title} onClose={() => setLarge(false)} />
      ) : null}
    </section>
  )
}

interface Acts {
  index: number
  count: number
  go: (to: number) => void
  enlarge: () => void
}

function useGallery({ index, count, go, enlarge }: Acts) {
  const gallery = useRef<HTMLElement>(null)
  useEffect(() => {
    const element = gallery.current
    const type = (event: KeyboardEvent) => {
      const to = photoAfterKey(event, index, count)
      if (to === undefined) return
      event.preventDefault()
      go(to)
    }
    const press = ({ target }: MouseEvent) => {
      if (target instanceof HTMLImageElement && target.closest('[data-enlarge]')) enlarge()
    }
    element?.addEventListener('keydown', type)
    element?.addEventListener('click', press)
    return () => {
      element?.removeEventListener('keydown', type)
      element?.removeEventListener('click', press)
    }
  })
  return gallery
}

interface ThumbnailsProps {
  groups: readonly PhotoGroup[]
  index: number
  onChoose: (index: number) => void
}

function Thumbnails({ groups, index, onChoose }: ThumbnailsProps) {
  return groups.map(({ subject, photos }, group) => {
    const start = groups.slice(0, group).reduce((count, one) => count + one.photos.length, 0)
    if (photos.length === 0) return null
    return (
      <div key={start}>
        {subject === undefined ? null : <h2 className="mt-2 px-1 text-xs font-semibold text-ink-2">{subject}</h2>}
        <ul aria-label={subject ?? 'Photos of the post'} className="mt-1 flex gap-1 overflow-x-auto p-1">
          {photos.map(({ src, tint }, place) => (
            <li key={src} className="flex-none">
              <button
                type="button"
                aria-label={`Show photo ${start + place + 1}`}
                aria-current={start + place === index}
                onClick={() => onChoose(start + place)}
                className={cx(
                  'block h-12 w-18 overflow-hidden rounded-sm',
                  start + place === index && 'outline-2 outline-offset-1 outline-accent',
                )}
              >
                <Picture src={src} alt="" sizes="72px" tint={tint} className="size-full object-cover" />
              </button>
            </li>
          ))}
        </ul>
      </div>
    )
  })
}
