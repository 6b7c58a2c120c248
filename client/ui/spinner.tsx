import { cx } from './cx.ts'

/** A turning ring in the text's colour. Decorative: say what is happening in words beside it. */
export function Spinner({ size = 16, className }: { size?: 12 | 14 | 16 | 24; className?: string }) {
  return (
    <span
      aria-hidden="true"
      style={{ width: size, height: size }}
      className={cx(
        'inline-block flex-none animate-spin rounded-full border-2 border-current border-r-transparent',
        className,
      )}
    />
  )
}
