import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { cx } from './cx.ts'

interface RestoredDraftNoteProps {
  shown: boolean
  onStartOver: () => void
  className?: string
  children?: ReactNode
}

export function RestoredDraftNote({ shown, onStartOver, className, children }: RestoredDraftNoteProps) {
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
