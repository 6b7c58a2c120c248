import Camera from 'lucide-react/icons/camera'
import ChevronLeft from 'lucide-react/icons/chevron-left'
import ChevronRight from 'lucide-react/icons/chevron-right'
import Eye from 'lucide-react/icons/eye'
import Pause from 'lucide-react/icons/pause'
import Play from 'lucide-react/icons/play'
import { type ReactNode, useEffect, useState } from 'react'
import { everyVisible } from '#client/lib/screen/visible-interval.ts'
import { cx } from '#client/ui/cx.ts'
import { Dialog } from '#client/ui/dialog.tsx'
import { formatClock, plural } from '#client/ui/format.ts'
import { IconButton } from '#client/ui/icon-button.tsx'
import { prefersReducedMotion } from '#client/ui/reduced-motion.ts'
import { Picture } from '#client/ui/picture.tsx'
import type { Post } from '#shared/schemas/posts.ts'

const thumbsMax = 7

interface AuctionGalleryProps {
  photos: readonly string[]
  subject: string
  /** Shown over the photo on a phone and in the side panel, where the header has no room for it. */
  viewers: number | undefined
}

export function AuctionGallery({ photos, subject, viewers }: AuctionGalleryProps) {
  const [index, setIndex] = useState(0)
  const count = photos.length
  const step = (by: number) => setIndex((index + by + count) % count)
  const chip =
    'num on-photo absolute bottom-3 inline-flex items-center gap-1 rounded-sm px-2 text-xs leading-6 font-medium'
  if (count === 0) return null
  return (
    <>
      <figure className="relative m-0 aspect-[16/9.4] flex-none overflow-hidden bg-pressed split:rounded-md in-data-beside:aspect-[12/5]">
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
          <span className={cx(chip, 'left-3 split:hidden')}>
            <Eye size={14} aria-hidden="true" />
            {plural(viewers, 'viewer')}
          </span>
        )}
        <span className={cx(chip, 'right-3')}>
          <Camera size={14} aria-hidden="true" />
          {index + 1} of {count}
        </span>
      </figure>
      <Thumbs photos={photos} index={index} onPick={setIndex} />
    </>
  )
}

interface ThumbsProps {
  photos: readonly string[]
  index: number
  onPick: (index: number) => void
}

function Thumbs({ photos, index, onPick }: ThumbsProps) {
  return (
    <div className="mt-2 grid grid-cols-7 gap-2 stacked:hidden">
      {photos.slice(0, thumbsMax).map((src, thumb) => {
        const more = thumb === thumbsMax - 1 ? photos.length - thumbsMax : 0
        return (
          <button
            key={src}
            type="button"
            aria-label={more > 0 ? `Photo ${thumb + 1} and ${more} more` : `Photo ${thumb + 1}`}
            aria-current={thumb === index || undefined}
            onClick={() => onPick(thumb)}
            className="relative aspect-3/2 overflow-hidden rounded-sm bg-pressed aria-current:shadow-[0_0_0_2px_var(--lw-raised),0_0_0_4px_var(--lw-accent)]"
          >
            <Picture src={src} alt="" className="size-full object-cover" />
            {more > 0 ? (
              <span className="num on-photo absolute right-1 bottom-1 rounded-sm px-2 text-xs leading-5">+{more}</span>
            ) : null}
          </button>
        )
      })}
    </div>
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

const lengthSeconds = 180
const tickMs = 250

function useSlideShow(count: number) {
  const [seconds, setSeconds] = useState(0)
  const [playing, setPlaying] = useState(() => !prefersReducedMotion())
  const ended = seconds >= lengthSeconds
  useEffect(() => {
    if (!playing || ended) return
    return everyVisible(tickMs, () => setSeconds((now) => Math.min(lengthSeconds, now + tickMs / 1_000)))
  }, [playing, ended])
  const index = Math.min(count - 1, Math.floor((seconds / lengthSeconds) * count))
  const toggle = () => {
    if (ended) setSeconds(0)
    setPlaying(ended || !playing)
  }
  return { seconds, seek: setSeconds, isRunning: playing && !ended, toggle, index }
}

interface LiveVideoProps {
  post: Post
  viewers: number | undefined
  onClose: () => void
}

/** A three-minute slide show of the photos. It starts paused if the user prefers reduced motion. */
export function LiveVideo({ post, viewers, onClose }: LiveVideoProps) {
  const { photoUrls } = post
  const { seconds, seek, isRunning, toggle, index } = useSlideShow(photoUrls.length)
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Photo walk-around"
      width="lg"
      description={`Walk-around of ${post.title}`}
      hideDescription
      headerEnd={
        viewers === undefined ? null : (
          <span className="num flex items-center gap-1 text-ink-2">
            <Eye size={16} aria-hidden="true" />
            {plural(viewers, 'viewer')}
          </span>
        )
      }
    >
      <figure className="relative m-0 aspect-video overflow-hidden rounded-md bg-pressed">
        {photoUrls.map((src, photo) => (
          <Picture
            key={src}
            src={src}
            alt={photo === index ? `${post.title}, ${photo + 1} of ${photoUrls.length}` : ''}
            eager={Math.abs(photo - index) < 2}
            className={`absolute inset-0 size-full object-cover transition-opacity ${photo === index ? 'opacity-100' : 'opacity-0'}`}
          />
        ))}
      </figure>
      <div className="mt-3 flex items-center gap-3">
        <IconButton
          label={isRunning ? 'Pause' : 'Play'}
          icon={isRunning ? <Pause size={18} /> : <Play size={18} />}
          line
          onClick={toggle}
        />
        <input
          type="range"
          aria-label="Position"
          aria-valuetext={`${formatClock(Math.floor(seconds))} of ${formatClock(lengthSeconds)}`}
          min={0}
          max={lengthSeconds}
          step={1}
          value={Math.floor(seconds)}
          onChange={(event) => seek(Number(event.target.value))}
          className="h-11 min-w-0 flex-1 accent-accent"
        />
        <span className="num text-ink-2">
          {formatClock(Math.floor(seconds))} / {formatClock(lengthSeconds)}
        </span>
      </div>
    </Dialog>
  )
}
