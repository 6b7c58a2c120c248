import { Camera, ChevronLeft, ChevronRight, Eye } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { cx } from '#client/ui/cx.ts'
import { plural } from '#client/ui/format.ts'
import { Picture } from '#client/ui/picture.tsx'

const thumbsMax = 7

interface AuctionGalleryProps {
  photos: readonly string[]
  subject: string
  /** Over the picture on a phone, where the header has no room. */
  viewers: number | undefined
}

/** One large picture, its neighbours by arrow, thumbnails below it. */
export function AuctionGallery({ photos, subject, viewers }: AuctionGalleryProps) {
  const [index, setIndex] = useState(0)
  const count = photos.length
  const step = (by: number) => setIndex((index + by + count) % count)
  const chip =
    'num on-photo absolute bottom-3 inline-flex items-center gap-1 rounded-sm px-2 text-xs leading-6 font-medium'
  if (count === 0) return null
  return (
    <>
      <figure className="relative m-0 aspect-[16/9.4] flex-none overflow-hidden bg-pressed md:rounded-md">
        <Picture
          src={photos[index] ?? ''}
          eager
          alt={`${subject}, ${index + 1} of ${count}`}
          className="absolute inset-0 size-full object-cover"
        />
        {count > 1 ? (
          <>
            <Arrow label="Previous photo" onClick={() => step(-1)} className="left-3">
              <ChevronLeft size={20} />
            </Arrow>
            <Arrow label="Next photo" onClick={() => step(1)} className="right-3">
              <ChevronRight size={20} />
            </Arrow>
          </>
        ) : null}
        {viewers === undefined ? null : (
          <span className={cx(chip, 'left-3 md:hidden')}>
            <Eye size={14} aria-hidden="true" />
            {plural(viewers, 'viewer')}
          </span>
        )}
        <span className={cx(chip, 'right-3')}>
          <Camera size={14} aria-hidden="true" />
          {index + 1} of {count}
        </span>
      </figure>
      <div className="mt-2 grid grid-cols-7 gap-2 max-md:hidden">
        {photos.slice(0, thumbsMax).map((src, thumb) => {
          const more = thumb === thumbsMax - 1 ? count - thumbsMax : 0
          return (
            <button
              key={src}
              type="button"
              aria-label={more > 0 ? `Photo ${thumb + 1} and ${more} more` : `Photo ${thumb + 1}`}
              aria-current={thumb === index || undefined}
              onClick={() => setIndex(thumb)}
              className="relative aspect-3/2 overflow-hidden rounded-sm bg-pressed aria-current:shadow-[0_0_0_2px_var(--lw-raised),0_0_0_4px_var(--lw-accent)]"
            >
              <Picture src={src} alt="" className="size-full object-cover" />
              {more > 0 ? (
                <span className="num on-photo absolute right-1 bottom-1 rounded-sm px-2 text-xs leading-5">
                  +{more}
                </span>
              ) : null}
            </button>
          )
        })}
      </div>
    </>
  )
}

function Arrow({
  label,
  className,
  ...rest
}: {
  label: string
  className: string
  onClick: () => void
  children: ReactNode
}) {
  return (
    <button
      type="button"
      aria-label={label}
      {...rest}
      className={cx(
        'on-photo absolute top-1/2 -mt-5 flex size-10 items-center justify-center rounded-full max-md:-mt-5.5 max-md:size-11',
        className,
      )}
    />
  )
}
