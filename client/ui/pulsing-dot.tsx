import { useEffect, useRef } from 'react'
import { clockMs, onTick } from '#client/lib/live/server-clock.ts'
import { cx } from './cx.ts'
import { useOnScreen } from './on-screen.ts'
import { prefersReducedMotion } from './reduced-motion.ts'

/** Less than 1, because a change between 1 and a lower opacity makes the browser lay out the page again. */
const bright = '0.99'
const dim = '0.35'

/** Blinks with the shared clock. A CSS animation would redraw 60 times a second in browsers that draw in software. */
export function PulsingDot({ className }: { className: string }) {
  const dot = useRef<HTMLSpanElement>(null)
  const isOn = useOnScreen(dot)
  useEffect(() => {
    if (!isOn || prefersReducedMotion()) return
    return onTick((tick) => {
      if (dot.current) dot.current.style.opacity = tick % 2 === 0 ? bright : dim
    }, clockMs.second)
  }, [isOn])
  return <span ref={dot} aria-hidden="true" className={cx('rounded-full bg-current', className)} />
}
