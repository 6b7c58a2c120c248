import { type ComponentProps, useEffect, useImperativeHandle, useLayoutEffect, useRef } from 'react'
import { lacksStyle } from '#client/lib/http/older-browsers.ts'
import { cx } from './cx.ts'
import { useFieldControl } from './field.tsx'
import { controlClass } from './input.tsx'

/** Fits the height to the text in browsers that do not support `field-sizing: content`. */
function fitToText(box: HTMLTextAreaElement): void {
  if (!lacksStyle('field-sizing', 'content')) return
  box.style.height = 'auto'
  box.style.height = `${box.scrollHeight + box.offsetHeight - box.clientHeight}px`
}

export function Textarea({ className, rows = 3, ref, ...rest }: ComponentProps<'textarea'>) {
  const { attributes, invalid, auto } = useFieldControl()
  const box = useRef<HTMLTextAreaElement>(null)
  useImperativeHandle(ref, () => box.current as HTMLTextAreaElement, [])
  useLayoutEffect(() => {
    if (box.current) fitToText(box.current)
  })
  useEffect(() => {
    const element = box.current
    const fit = () => element && fitToText(element)
    element?.addEventListener('input', fit)
    return () => element?.removeEventListener('input', fit)
  }, [])
  return (
    <textarea
      {...attributes}
      {...rest}
      ref={box}
      rows={rows}
      className={cx(
        controlClass({ invalid, auto }),
        'field-sizing-content max-h-64 min-h-11 resize-y px-3 py-2 leading-5',
        className,
      )}
    />
  )
}
