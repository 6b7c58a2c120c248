import { useEffect, useRef } from 'react'
import { clockMs, onTick } from '#client/lib/live/server-clock.ts'
import { cx } from './cx.ts'
import { useOnScreen } from './on-screen.ts'
import { prefersReducedMotion } from './reduced-motion.ts'

/** Less than 1: between 1 and a lower opacity, the browser lays out the page again. */
const bright = '0.99'
const dim = '0.35'

/**
 * The dot of something that is live. It changes its opacity once a second, together with all countdowns: where the browser draws in
 * software, a CSS animation redraws sixty times a second. Rests off screen and in a hidden tab.
 */
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
