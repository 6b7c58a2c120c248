import ChevronLeft from 'lucide-react/icons/chevron-left'
import ChevronRight from 'lucide-react/icons/chevron-right'
import Pause from 'lucide-react/icons/pause'
import Play from 'lucide-react/icons/play'
import X from 'lucide-react/icons/x'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { tourSteps } from '#client/content/landing.ts'
import { Button, buttonClass } from '#client/ui/button.tsx'
import { cx } from '#client/ui/cx.ts'
import { prefersReducedMotion } from '#client/ui/reduced-motion.ts'
import { phoneSize } from './phone-shot.tsx'

const stepMs = 6_000

export function DemoTour({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const { place, playing, go, setPlaying } = useTour()
  const step = tourSteps[place]

  useModal(dialog, (by) => go(place + by))

  return (
    <dialog
      ref={dialog}
      aria-labelledby="tour-title"
      onClose={onClose}
      className="m-auto w-[min(65rem,calc(100vw-2rem))] max-w-none overflow-hidden rounded-md bg-raised p-0 text-ink shadow-3 backdrop:bg-scrim max-md:m-0 max-md:h-dvh max-md:max-h-none max-md:w-full max-md:flex-col max-md:rounded-none max-md:open:flex"
    >
      <header className="flex h-14 flex-none items-center justify-between border-b border-line pr-2 pl-6 max-md:pl-4">
        <h2 id="tour-title" className="text-md font-semibold">
          Lanewire in five screens
        </h2>
        <button
          type="button"
          aria-label="Close"
          onClick={() => dialog.current?.close()}
          className="inline-flex size-10 items-center justify-center rounded-md text-ink-2 hover:bg-hover max-md:size-11"
        >
          <X size={18} />
        </button>
      </header>
      {step ? <TourScreen image={step.image} title={step.title} /> : null}
      <div className="flex items-start gap-6 px-6 py-4 max-md:flex-col max-md:gap-3 max-md:px-4">
        <div className="min-h-19 flex-1 max-md:min-h-27 max-md:flex-none" aria-live={playing ? 'off' : 'polite'}>
          <h3 className="text-md font-semibold">{step?.title}</h3>
          <p className="mt-1 text-base text-ink-2">{step?.caption}</p>
        </div>
        <TourControls place={place} playing={playing} onGo={go} onPlay={setPlaying} />
      </div>
    </dialog>
  )
}

function useModal(dialog: RefObject<HTMLDialogElement | null>, onTurn: (by: number) => void) {
  useEffect(() => {
    const element = dialog.current
    if (!element) return
    if (!element.open) element.showModal()
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'ArrowRight') onTurn(1)
      if (event.key === 'ArrowLeft') onTurn(-1)
    }
    const onPress = (event: MouseEvent) => {
      if (event.target === element) element.close()
    }
    element.addEventListener('keydown', onKey)
    element.addEventListener('click', onPress)
    return () => {
      element.removeEventListener('keydown', onKey)
      element.removeEventListener('click', onPress)
    }
  })
}

function useTour() {
  const [place, setPlace] = useState(0)
  const [playing, setPlaying] = useState(() => !prefersReducedMotion())
  const go = (next: number) => {
    setPlaying(false)
    setPlace(Math.min(Math.max(next, 0), tourSteps.length - 1))
  }
  useEffect(() => {
    if (!playing) return
    const timer = setTimeout(() => {
      if (place === tourSteps.length - 1) setPlaying(false)
      else setPlace(place + 1)
    }, stepMs)
    return () => clearTimeout(timer)
  }, [playing, place])
  return { place, playing, go, setPlaying }
}

/** Loads only the screenshot for the current theme and device. */
function TourScreen({ image, title }: { image: string; title: string }) {
  const theme = document.documentElement.dataset['theme'] === 'dark' ? 'dark' : 'light'
  return (
    <picture className="contents">
      <source
        media="(width < 48rem)"
        srcSet={`/site/phone-${image}-${theme}.webp`}
        width={phoneSize.width}
        height={phoneSize.height}
      />
      <img
        key={image}
        src={`/site/tour-${image}-${theme}.webp`}
        alt={`Screenshot: ${title}`}
        width="1280"
        height="720"
        className="aspect-video w-full animate-fade border-b border-line bg-sunken object-cover object-top max-md:aspect-auto max-md:min-h-0 max-md:flex-1"
      />
    </picture>
  )
}

interface TourControlsProps {
  place: number
  playing: boolean
  onGo: (place: number) => void
  onPlay: (playing: boolean) => void
}

function TourControls({ place, playing, onGo, onPlay }: TourControlsProps) {
  const last = place === tourSteps.length - 1
  return (
    <div className="flex items-center gap-2 max-md:w-full max-md:justify-between">
      <span className="num text-ink-3">
        {place + 1} of {tourSteps.length}
      </span>
      <Button
        aria-label={playing ? 'Pause' : 'Play'}
        icon={playing ? <Pause size={16} /> : <Play size={16} />}
        onClick={() => {
          if (!playing && last) onGo(0)
          onPlay(!playing)
        }}
      />
      <Button
        aria-label="Previous screen"
        disabled={place === 0}
        icon={<ChevronLeft size={16} />}
        onClick={() => onGo(place - 1)}
      />
      <Button
        aria-label="Next screen"
        disabled={last}
        className={cx(last && 'max-md:hidden')}
        icon={<ChevronRight size={16} />}
        onClick={() => onGo(place + 1)}
      />
      {last ? (
        <a href="/login?mode=signup" className={buttonClass({ variant: 'primary' })}>
          Get Started
        </a>
      ) : null}
    </div>
  )
}
