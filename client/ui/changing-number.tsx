import { useEffect, useRef, useState } from 'react'
import { cx } from './cx.ts'

const flashMs = 900

/** A number that changes in place. Its background is tinted for 900 ms after each change. */
export function ChangingNumber({ value, text, className }: { value: number; text: string; className?: string }) {
  const shown = useRef(value)
  const [flashing, setFlashing] = useState(false)
  useEffect(() => {
    if (shown.current === value) return
    shown.current = value
    setFlashing(true)
    const timer = setTimeout(() => setFlashing(false), flashMs)
    return () => clearTimeout(timer)
  }, [value])
  return <span className={cx('num rounded-sm transition-colors', flashing && 'bg-accent-soft', className)}>{text}</span>
}
