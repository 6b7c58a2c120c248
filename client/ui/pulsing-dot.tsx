import { useEffect, useRef } from 'react'
import { clockMs, onTick } from '#client/lib/live/shared-clocks.ts'
import { cx } from './cx.ts'
import { useOnScreen } from './on-screen.ts'
import { prefersReducedMotion } from './reduced-motion.ts'

/** Less than 1, because a change between 1 and a lower opacity makes the browser lay out the page again. */
const bright = '0.99'
const dim = '0.35'

interface PulsingDotProps {
  className: string
  /** In a row of dots, the place of this one, and the number of dots. Each second, the next dot of the row is bright. */
  place?: number
  of?: number
}

/** Blinks with the shared clock. A CSS animation would redraw 60 times a second in browsers that draw in software. */
export function PulsingDot({ className, place = 0, of = 2 }: PulsingDotProps) {
  const dot = useRef<HTMLSpanElement>(null)
  const isOn = useOnScreen(dot)
  useEffect(() => {
    if (!isOn || prefersReducedMotion()) return
    return onTick((tick) => {
      if (dot.current) dot.current.style.opacity = tick % of === place ? bright : dim
    }, clockMs.second)
  }, [isOn, place, of])
  return <span ref={dot} aria-hidden="true" className={cx('rounded-full bg-current', className)} />
}
