import { type ReactNode, useEffect, useState } from 'react'
import { cx } from './cx.ts'

const skeletonDelayMs = 200

export function Skeleton({ className }: { className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={cx(
        'relative block overflow-hidden rounded-sm bg-pressed',
        'after:absolute after:inset-0 after:-translate-x-full after:animate-sheen after:bg-linear-to-r after:from-transparent after:via-hover after:to-transparent',
        className ?? 'h-3',
      )}
    />
  )
}

/** Announces `label` at once, but shows the skeletons only after 200 ms, so that fast responses do not make them flash. */
export function Loading({ label, showLabel, children }: { label: string; showLabel?: boolean; children?: ReactNode }) {
  const [late, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), skeletonDelayMs)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div role="status" aria-busy="true">
      <span className={showLabel && late ? 'block py-2 text-center text-ink-2' : 'sr-only'}>{label}</span>
      <div className={late ? undefined : 'invisible'}>{children}</div>
    </div>
  )
}

interface SkeletonRowsProps {
  rows?: number
  className?: string
  lead?: string
}

export function SkeletonRows({ rows = 3, className = 'h-12', lead = 'size-8 rounded-full' }: SkeletonRowsProps) {
  return Array.from({ length: rows }, (_, row) => (
    <div key={row} className={cx('flex items-center gap-3', className)}>
      <Skeleton className={cx('flex-none', lead)} />
      <div className="flex-1 space-y-2">
        <Skeleton className="h-3 w-3/5" />
        <Skeleton className="h-2 w-2/5" />
      </div>
    </div>
  ))
}
