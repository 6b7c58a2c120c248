import { cx } from './cx.ts'

const sizes = { 12: 'size-3', 14: 'size-3.5', 16: 'size-4', 24: 'size-6' }

/** Decorative, so describe what is going on in the text next to the spinner. */
export function Spinner({ size = 16, className }: { size?: keyof typeof sizes; className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={cx(
        'inline-block flex-none animate-spin rounded-full border-2 border-current border-r-transparent',
        sizes[size],
        className,
      )}
    />
  )
}
