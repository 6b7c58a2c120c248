import { Camera } from 'lucide-react'
import { cx } from '#client/ui/cx.ts'
import { Picture, preloadPicture } from '#client/ui/picture.tsx'
import type { Post } from '#shared/schemas/posts.ts'
import { cardPhotos, type PostPhoto } from '../posts.rules.ts'

/** Photos below the large one. */
const stripLength = 4
const leadSizes = '(min-width: 768px) 420px, 100vw'
const thumbSizes = '(min-width: 768px) 104px, 25vw'

/** While its card is still made: otherwise the photo stands in line behind all that the card asks for. */
export function preloadLead(post: Post): void {
  const [lead] = cardPhotos(post)
  if (lead) preloadPicture(lead.src, leadSizes)
}

interface PostPhotosProps {
  photos: readonly PostPhoto[]
  /** Of the first card: what the page is looked at for. */
  eager: boolean
  className?: string
}

/**
 * One large photo, 16 to 10, and a strip below it whose last one counts the rest. Their room stands before they load: on a narrow card
 * from edge to edge.
 */
export function PostPhotos({ photos, eager, className }: PostPhotosProps) {
  const [lead, ...others] = photos
  if (!lead) return null
  const strip = others.slice(0, stripLength)
  const more = others.length - strip.length
  return (
    <div className={cx('min-w-0 overflow-hidden @max-xl/card:-mx-4 @xl/card:rounded-md', className)}>
      <span className="relative block aspect-8/5 overflow-hidden bg-pressed">
        <Picture
          src={lead.src}
          alt={altOf(lead, 0)}
          eager={eager && 'first'}
          sizes={leadSizes}
          tint={lead.tint}
          className="absolute inset-0 size-full object-cover"
        />
      </span>
      {strip.length > 0 ? (
        <div className="mt-1 grid grid-cols-4 gap-1">
          {strip.map((photo, index) => (
            <span key={photo.src} className="relative block aspect-3/2 overflow-hidden bg-pressed">
              <Picture
                src={photo.src}
                alt={altOf(photo, index + 1)}
                sizes={thumbSizes}
                tint={photo.tint}
                className="absolute inset-0 size-full object-cover"
              />
              {more > 0 && index === stripLength - 1 ? (
                <span className="num on-photo absolute right-1 bottom-1 inline-flex items-center gap-1 rounded-sm px-2 text-xs leading-5 font-medium">
                  <Camera size={12} aria-hidden="true" />+{more}
                </span>
              ) : null}
            </span>
          ))}
        </div>
      ) : null}
    </div>
  )
}

/** Each with its number, so that no two are called alike. */
const altOf = ({ says }: PostPhoto, index: number) => `${says}, photo ${index + 1}`
