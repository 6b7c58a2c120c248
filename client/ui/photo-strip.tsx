import { Camera } from 'lucide-react'
import { cx } from './cx.ts'
import { Picture } from './picture.tsx'

const stripLength = 4

interface PhotoProps {
  src: string
  alt: string
  /** Pictures not shown; drawn on the last one. */
  more?: number
  eager?: boolean
  className?: string
}

function Photo({ src, alt, more = 0, eager = false, className }: PhotoProps) {
  return (
    <span className={cx('relative block min-h-0 min-w-0 overflow-hidden bg-pressed', className)}>
      <Picture src={src} alt={alt} eager={eager} className="absolute inset-0 size-full object-cover" />
      {more > 0 ? (
        <span className="num on-photo absolute right-1 bottom-1 inline-flex items-center gap-1 rounded-sm px-2 text-xs leading-5 font-medium">
          <Camera size={12} aria-hidden="true" />+{more}
        </span>
      ) : null}
    </span>
  )
}

interface PhotosProps {
  photos: readonly string[]
  /** What the pictures show; each gets its number after it. */
  subject: string
  /** Above the fold: fetched at once. */
  eager?: boolean
}

const altOf = (subject: string, index: number) => `${subject}, photo ${index + 1}`

/** Up to four pictures in a row, 3 to 2; the last one counts the rest. Space is reserved before they load. */
export function PhotoStrip({ photos, subject, eager = false }: PhotosProps) {
  if (photos.length === 0) return null
  return (
    <div className="mt-3 grid grid-cols-4 gap-1 overflow-hidden rounded-md">
      {photos.slice(0, stripLength).map((src, index) => (
        <Photo
          key={src}
          src={src}
          alt={altOf(subject, index)}
          eager={eager}
          className="aspect-3/2"
          more={index === stripLength - 1 ? photos.length - stripLength : 0}
        />
      ))}
    </div>
  )
}

/** One large picture and three small ones beside it: a live post, a single post. */
export function PhotoMosaic({ photos, subject, eager = false }: PhotosProps) {
  if (photos.length === 0) return null
  const single = photos.length === 1
  return (
    <div
      className={cx(
        'grid min-h-53 gap-1 overflow-hidden rounded-md max-md:min-h-42',
        single ? 'grid-cols-1' : 'grid-cols-[3fr_1fr] grid-rows-3',
      )}
    >
      {photos.slice(0, stripLength).map((src, index) => (
        <Photo
          key={src}
          src={src}
          alt={altOf(subject, index)}
          eager={eager}
          className={cx(index === 0 && !single && 'row-span-3')}
          more={index === stripLength - 1 ? photos.length - stripLength : 0}
        />
      ))}
    </div>
  )
}
