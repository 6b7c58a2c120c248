import { Eye, Pause, Play } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Dialog } from '#client/ui/dialog.tsx'
import { formatClock, plural } from '#client/ui/format.ts'
import { IconButton } from '#client/ui/icon-button.tsx'
import { Picture } from '#client/ui/picture.tsx'
import type { Post } from '#shared/schemas/posts.ts'

/** The walk-around is three minutes long, whatever the number of photos. */
const lengthSeconds = 180
const tickMs = 250

interface LiveVideoProps {
  post: Post
  viewers: number | undefined
  onClose: () => void
}

/** A walk-around of the post's photos on a timeline that can be paused and moved along. */
export function LiveVideo({ post, viewers, onClose }: LiveVideoProps) {
  const [seconds, setSeconds] = useState(0)
  const [playing, setPlaying] = useState(true)
  const ended = seconds >= lengthSeconds
  useEffect(() => {
    if (!playing || ended) return
    const timer = setInterval(() => setSeconds((now) => Math.min(lengthSeconds, now + tickMs / 1_000)), tickMs)
    return () => clearInterval(timer)
  }, [playing, ended])
  const { photoUrls } = post
  const index = Math.min(photoUrls.length - 1, Math.floor((seconds / lengthSeconds) * photoUrls.length))
  const toggle = () => {
    if (ended) setSeconds(0)
    setPlaying(ended || !playing)
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Live video"
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
          label={playing && !ended ? 'Pause' : 'Play'}
          icon={playing && !ended ? <Pause size={18} /> : <Play size={18} />}
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
          onChange={(event) => setSeconds(Number(event.target.value))}
          className="h-11 min-w-0 flex-1 accent-accent"
        />
        <span className="num text-ink-2">
          {formatClock(Math.floor(seconds))} / {formatClock(lengthSeconds)}
        </span>
      </div>
    </Dialog>
  )
}
