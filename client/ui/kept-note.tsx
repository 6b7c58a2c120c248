import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { cx } from './cx.ts'

interface KeptNoteProps {
  /** What the form shows was typed before, and is not saved or sent. */
  shown: boolean
  onStartOver: () => void
  className?: string
  /** What else is said of it. */
  children?: ReactNode
}

/** In the footer of a form that shows more than is saved. */
export function KeptNote({ shown, onStartOver, className, children }: KeptNoteProps) {
  return (
    <div role="status" className={cx('mr-auto', className)}>
      {children}
      {shown ? (
        <Button variant="ghost" size="sm" onClick={onStartOver}>
          Draft restored. Start over
        </Button>
      ) : null}
    </div>
  )
}
