import { type DragEvent, type ReactNode, useId, useState } from 'react'
import { cx } from './cx.ts'

interface FileDropProps {
  label: string
  hint?: ReactNode
  icon?: ReactNode
  /** Like an input's `accept`. Dropped files are not checked, so the caller must check their types. */
  accept?: string
  multiple?: boolean
  capture?: 'environment'
  disabled?: boolean
  onFiles: (files: File[]) => void
  className?: string
}

export function FileDrop({
  label,
  hint,
  icon,
  accept,
  multiple,
  capture,
  disabled,
  onFiles,
  className,
}: FileDropProps) {
  const id = useId()
  const [over, setOver] = useState(false)
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    if (!disabled) onFiles([...event.dataTransfer.files])
  }
  return (
    <div
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className={cx(
        'relative flex flex-col items-center justify-center gap-1 rounded-md border border-dashed p-3 text-center font-medium text-ink-2 has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus',
        over ? 'border-accent bg-accent-soft' : 'border-control bg-surface hover:bg-hover',
        disabled && 'opacity-60',
        className,
      )}
    >
      <input
        id={id}
        type="file"
        accept={accept}
        multiple={multiple}
        capture={capture}
        disabled={disabled}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])])
          // Reset the input, so that a file can be chosen again after it was removed.
          event.target.value = ''
        }}
        className="absolute inset-0 cursor-pointer opacity-0 disabled:cursor-not-allowed"
      />
      <span aria-hidden="true">{icon}</span>
      <label htmlFor={id}>{label}</label>
      {hint ? (
        <span id={`${id}-hint`} className="text-xs font-normal text-ink-3">
          {hint}
        </span>
      ) : null}
    </div>
  )
}
