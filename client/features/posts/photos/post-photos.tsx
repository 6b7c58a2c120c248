import Camera from 'lucide-react/icons/camera'
import { cx } from '#client/ui/cx.ts'
import { Picture, preloadPicture } from '#client/ui/picture.tsx'
import type { Post } from '#shared/schemas/posts.ts'
import { cardPhotos, type PostPhoto } from '../posts.rules.ts'

const stripLength = 4
const leadSizes = '(min-width: 768px) 420px, 100vw'
const thumbSizes = '(min-width: 768px) 104px, 25vw'

/** Preloads a card's main photo, so that it does not wait behind the card's other requests. */
export function preloadLead(post: Post): void {
  const [lead] = cardPhotos(post)
  if (lead) preloadPicture(lead.src, leadSizes)
}

interface PostPhotosProps {
  photos: readonly PostPhoto[]
  eager: boolean
  className?: string
}

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

/** Returns an image description. It includes the photo's number, so that every description is unique. */
const altOf = ({ label }: PostPhoto, index: number) => `${label}, photo ${index + 1}`
