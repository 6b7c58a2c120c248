import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { isPressed, keys } from '#client/lib/keys.ts'
import { cx } from '#client/ui/cx.ts'
import { IconButton } from '#client/ui/icon-button.tsx'
import { Picture } from '#client/ui/picture.tsx'

interface PhotoGroup {
  /** Of which vehicle they are; the post's own have none. */
  subject: string | undefined
  photos: readonly string[]
}

interface Shown {
  src: string
  subject: string
}

interface PhotoGalleryProps {
  groups: readonly PhotoGroup[]
  /** What is said of a photo that is of no vehicle alone. */
  subject: string
}

/** Every photo of a post, by vehicle: one large, the rest below; arrow keys and buttons go through them. */
export function PhotoGallery({ groups, subject }: PhotoGalleryProps) {
  const photos = groups.flatMap((group): Shown[] =>
    group.photos.map((src) => ({ src, subject: group.subject ?? subject })),
  )
  const [index, setIndex] = useState(0)
  const go = (by: number) => setIndex((current) => (current + by + photos.length) % photos.length)
  const gallery = useArrowKeys(go)
  const shown = photos[index] ?? photos[0]
  if (!shown) return null
  return (
    <section ref={gallery} aria-label="Photos" className="mt-3">
      <div className="relative aspect-8/5 overflow-hidden rounded-md bg-pressed">
        <Picture
          src={shown.src}
          alt={`${shown.subject}, ${index + 1} of ${photos.length}`}
          eager
          className="absolute inset-0 size-full object-contain"
        />
        {photos.length > 1 ? (
          <>
            <span className="num on-photo absolute right-2 bottom-2 rounded-sm px-2 text-xs leading-5" role="status">
              {index + 1} of {photos.length}
            </span>
            <GalleryStep side="left" onPress={() => go(-1)} />
            <GalleryStep side="right" onPress={() => go(1)} />
          </>
        ) : null}
      </div>
      {photos.length > 1 ? <Thumbnails groups={groups} index={index} onChoose={setIndex} /> : null}
    </section>
  )
}

/** Left and right go through the photos while the focus is in the gallery. */
function useArrowKeys(go: (by: number) => void) {
  const gallery = useRef<HTMLElement>(null)
  useEffect(() => {
    const element = gallery.current
    const listen = (event: KeyboardEvent) => {
      const isNext = isPressed(event, keys.nextPhoto)
      if (!isNext && !isPressed(event, keys.previousPhoto)) return
      event.preventDefault()
      go(isNext ? 1 : -1)
    }
    element?.addEventListener('keydown', listen)
    return () => element?.removeEventListener('keydown', listen)
  })
  return gallery
}

function GalleryStep({ side, onPress }: { side: 'left' | 'right'; onPress: () => void }) {
  return (
    <span className={cx('absolute top-1/2 -mt-4 max-md:-mt-5.5', side === 'left' ? 'left-2' : 'right-2')}>
      <IconButton
        label={side === 'left' ? 'Previous photo' : 'Next photo'}
        icon={side === 'left' ? <ChevronLeft size={18} /> : <ChevronRight size={18} />}
        onClick={onPress}
        className="bg-surface shadow-2"
      />
    </span>
  )
}

interface ThumbnailsProps {
  groups: readonly PhotoGroup[]
  index: number
  onChoose: (index: number) => void
}

/** A row for each vehicle that has photos, below its name; the post's own come first. */
function Thumbnails({ groups, index, onChoose }: ThumbnailsProps) {
  return groups.map(({ subject, photos }, group) => {
    const start = groups.slice(0, group).reduce((count, one) => count + one.photos.length, 0)
    if (photos.length === 0) return null
    return (
      <div key={start}>
        {subject === undefined ? null : <h2 className="mt-2 px-1 text-xs font-semibold text-ink-2">{subject}</h2>}
        <ul aria-label={subject ?? 'Photos of the post'} className="mt-1 flex gap-1 overflow-x-auto p-1">
          {photos.map((photo, place) => (
            <li key={photo} className="flex-none">
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
                <Picture src={photo} alt="" className="size-full object-cover" />
              </button>
            </li>
          ))}
        </ul>
      </div>
    )
  })
}
