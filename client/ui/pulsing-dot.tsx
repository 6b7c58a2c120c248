import { useEffect, useRef } from 'react'
import { onTick } from '#client/lib/live/server-clock.ts'
import { cx } from './cx.ts'
import { useOnScreen } from './on-screen.ts'
import { prefersReducedMotion } from './reduced-motion.ts'

const halfMs = 800
const dim = '0.35'

/**
 * The dot of something that is live. It changes its opacity twice per pulse instead of by a CSS animation: where the browser draws in
 * software, an animation redraws sixty times a second. Rests off screen and in a hidden tab.
 */
export function PulsingDot({ className }: { className: string }) {
  const dot = useRef<HTMLSpanElement>(null)
  const isOn = useOnScreen(dot)
  useEffect(() => {
    if (!isOn || prefersReducedMotion()) return
    return onTick(() => {
      if (dot.current) dot.current.style.opacity = Math.floor(Date.now() / halfMs) % 2 === 0 ? '' : dim
    })
  }, [isOn])
  return <span ref={dot} aria-hidden="true" className={cx('rounded-full bg-current', className)} />
}
