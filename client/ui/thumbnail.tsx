import Camera from 'lucide-react/icons/camera'
import { cx } from './cx.ts'
import { Picture } from './picture.tsx'

// `max-w-none` is needed, because a maximum width of 100% would collapse the image in a table cell.
const look = 'block h-12 w-18 max-w-none flex-none rounded-sm bg-pressed'

export function Thumbnail({ src }: { src: string | null | undefined }) {
  if (src) return <Picture src={src} alt="" sizes="72px" className={cx(look, 'object-cover')} />
  return (
    <span aria-hidden="true" className={cx(look, 'grid! place-items-center text-ink-3 forced-colors:border')}>
      <Camera size={20} />
    </span>
  )
}
