import { type ComponentProps } from 'react'
import { cx } from './cx.ts'
import { useFieldControl } from './field.tsx'
import { controlClass } from './input.tsx'

/** Grows with its text up to 12 lines where the browser can. */
export function Textarea({ className, rows = 3, ...rest }: ComponentProps<'textarea'>) {
  const { attributes, invalid, auto } = useFieldControl()
  return (
    <textarea
      {...attributes}
      {...rest}
      rows={rows}
      className={cx(
        controlClass({ invalid, auto }),
        'field-sizing-content max-h-64 min-h-11 resize-y px-3 py-2 leading-5',
        className,
      )}
    />
  )
}
