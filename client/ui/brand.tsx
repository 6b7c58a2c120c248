import { cx } from './cx.ts'

/** Decorative, because the link or heading around the logo contains the product's name. */
export function BrandMark({ className }: { className?: string }) {
  return (
    <svg width="28" height="28" viewBox="0 0 28 28" aria-hidden="true" className={cx('flex-none', className)}>
      <rect width="28" height="28" rx="7" className="fill-accent" />
      <path d="M9.5 5.5V15a3.5 3.5 0 0 0 3.5 3.5h9.5" fill="none" strokeWidth="6" className="stroke-on-accent" />
      <path
        d="M9.5 6.6V15a3.5 3.5 0 0 0 3.5 3.5h9.5"
        fill="none"
        strokeWidth="1.3"
        strokeDasharray="2.6 2.2"
        className="stroke-accent"
      />
    </svg>
  )
}

export function Brand({ compact = false }: { compact?: boolean }) {
  return (
    <span className="inline-flex items-center gap-2 text-md font-semibold tracking-[-0.015em] text-ink">
      <BrandMark />
      <span className={cx(compact && 'max-md:sr-only')}>Lanewire</span>
    </span>
  )
}
