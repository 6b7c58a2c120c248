import Camera from 'lucide-react/icons/camera'
import CircleAlert from 'lucide-react/icons/circle-exclamation-point'
import { objectIdOf } from '#client/lib/files/upload-processing.ts'
import { type PictureState, usePicture } from '#client/lib/files/use-picture.ts'
import { photoWidths } from '#shared/limits.ts'
import { cx } from './cx.ts'
import { Skeleton } from './skeleton.tsx'

interface PictureProps {
  src: string
  alt: string
  /** Loads the image at once; use it above the fold. `first` gives the image priority over everything else on the page. */
  eager?: boolean | 'first'
  /** The rendered width, as in HTML's `sizes`. The browser uses it to pick a file for one of our own images. */
  sizes?: string
  /** The image's average color (`#rrggbb`), which is shown while the image loads. */
  tint?: string | null
  href?: string
  draggable?: false
  className: string
}

/** An image. Shows a message while it is being processed or if it cannot be shown. */
export function Picture(props: PictureProps) {
  return <PictureAt key={props.src} {...props} />
}

const srcSetOf = (src: string) =>
  objectIdOf(src) === undefined ? undefined : photoWidths.map((width) => `${src}?w=${width} ${width}w`).join(', ')

/**
 * Preloads an image with high priority. Pass the `sizes` with which the image will be rendered.
 * React's `preload` would keep an element per image as long as the tab is open.
 */
export function preloadPicture(src: string, sizes: string): void {
  const srcSet = srcSetOf(src)
  if (srcSet === undefined || document.querySelector(`link[href="${src}"], img[src="${src}"]`) !== null) return
  const link = Object.assign(document.createElement('link'), { rel: 'preload', as: 'image', fetchPriority: 'high' })
  Object.assign(link, { href: src, imageSrcset: srcSet, imageSizes: sizes })
  for (const end of ['load', 'error']) link.addEventListener(end, () => link.remove())
  document.head.append(link)
}

function PictureAt({ src, alt, eager = false, sizes, tint, href, draggable, className }: PictureProps) {
  const { state, onError } = usePicture(src)
  if (state.is !== 'shown') return <Standin state={state} alt={alt} className={className} />
  const image = (
    <img
      src={src}
      alt={alt}
      {...(sizes !== undefined && { srcSet: srcSetOf(src), sizes })}
      {...(tint && { style: { backgroundColor: tint } })}
      {...(eager === 'first' && { fetchPriority: 'high' as const })}
      loading={eager ? 'eager' : 'lazy'}
      decoding="async"
      draggable={draggable}
      onError={onError}
      className={className}
    />
  )
  if (href === undefined) return image
  return (
    <a href={href} target="_blank" rel="noopener noreferrer" className="block w-fit max-w-full rounded-sm">
      {image}
    </a>
  )
}

const wide = '@max-[7rem]:hidden'

function Standin({ state, alt, className }: { state: PictureState; alt: string; className: string }) {
  const says = {
    shown: '',
    missing: '',
    preparing: 'processing',
    failed: state.is === 'failed' ? state.reason : '',
  }
  const label = [alt, says[state.is]].filter(Boolean).join(': ')
  return (
    <span
      {...(alt === '' ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}
      className={cx('@container grid overflow-hidden bg-pressed text-xs forced-colors:border', className)}
    >
      <span className="relative grid size-full place-content-center place-items-center gap-1 overflow-hidden p-1 text-center">
        {state.is === 'preparing' ? (
          <>
            <Skeleton className="absolute! inset-0" />
            <Camera size={20} aria-hidden="true" className="relative text-ink-3" />
            <span className={cx('relative font-medium text-ink-2', wide)}>Processing</span>
          </>
        ) : null}
        {state.is === 'failed' ? (
          <>
            <CircleAlert size={20} aria-hidden="true" className="text-ink-3" />
            <span className={cx('line-clamp-3 text-ink-2', wide)}>{state.reason}</span>
          </>
        ) : null}
        {state.is === 'missing' ? <Camera size={20} aria-hidden="true" className="text-ink-3" /> : null}
      </span>
    </span>
  )
}
