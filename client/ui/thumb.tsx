import { Camera } from 'lucide-react'
import { cx } from './cx.ts'
import { Picture } from './picture.tsx'

// `max-w-none`: in the cell of a table a picture that may not be wider than it takes no room at all.
const look = 'block h-12 w-18 max-w-none flex-none rounded-sm bg-pressed'

/** A vehicle at the beginning of a row that names it: its photo, or that there is none. */
export function Thumb({ src }: { src: string | null | undefined }) {
  if (src) return <Picture src={src} alt="" sizes="72px" className={cx(look, 'object-cover')} />
  return (
    <span aria-hidden="true" className={cx(look, 'grid! place-items-center text-ink-3 forced-colors:border')}>
      <Camera size={20} />
    </span>
  )
}
