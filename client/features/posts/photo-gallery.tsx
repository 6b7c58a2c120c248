import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { cx } from '#client/ui/cx.ts'
import { IconButton } from '#client/ui/icon-button.tsx'
import { Picture } from '#client/ui/picture.tsx'

/** Every photo of a post: one large, the rest below; arrow keys and buttons go through them. */
export function PhotoGallery({ photos, subject }: { photos: readonly string[]; subject: string }) {
  const [index, setIndex] = useState(0)
  const go = (by: number) => setIndex((current) => (current + by + photos.length) % photos.length)
  const gallery = useArrowKeys(go)
  const src = photos[index] ?? photos[0]
  if (!src) return null
  return (
    <section ref={gallery} aria-label="Photos" className="mt-3">
      <div className="relative aspect-8/5 overflow-hidden rounded-md bg-pressed">
        <Picture
          src={src}
          alt={`${subject}, ${index + 1} of ${photos.length}`}
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
      {photos.length > 1 ? <Thumbnails photos={photos} index={index} onChoose={setIndex} /> : null}
    </section>
  )
}

/** Left and right go through the photos while the focus is in the gallery. */
function useArrowKeys(go: (by: number) => void) {
  const gallery = useRef<HTMLElement>(null)
  useEffect(() => {
    const element = gallery.current
    const listen = (event: KeyboardEvent) => {
      if (event.key !== 'ArrowRight' && event.key !== 'ArrowLeft') return
      event.preventDefault()
      go(event.key === 'ArrowRight' ? 1 : -1)
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
  photos: readonly string[]
  index: number
  onChoose: (index: number) => void
}

function Thumbnails({ photos, index, onChoose }: ThumbnailsProps) {
  return (
    <ul className="mt-1 flex gap-1 overflow-x-auto p-1">
      {photos.map((photo, at) => (
        <li key={photo} className="flex-none">
          <button
            type="button"
            aria-label={`Show photo ${at + 1}`}
            aria-current={at === index}
            onClick={() => onChoose(at)}
            className={cx(
              'block h-12 w-18 overflow-hidden rounded-sm',
              at === index && 'outline-2 outline-offset-1 outline-accent',
            )}
          >
            <Picture src={photo} alt="" className="size-full object-cover" />
          </button>
        </li>
      ))}
    </ul>
  )
}
