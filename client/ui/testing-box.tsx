import type { ReactNode } from 'react'

/** A dashed box around testing tools, which nobody should mistake for a part of the product. */
export function TestingBox({ children }: { children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-2 rounded-md border border-dashed border-control p-2 pl-3 text-xs text-ink-2">
      Test aid
      <span className="flex flex-wrap gap-2">{children}</span>
    </div>
  )
}
