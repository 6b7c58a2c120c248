import { useEffect, useRef } from 'react'
import { onTick } from '#client/lib/live/server-clock.ts'
import { cx } from './cx.ts'
import { useOnScreen } from './on-screen.ts'
import { prefersReducedMotion } from './reduced-motion.ts'

const halfMs = 800
const dim = '0.35'

/**
 * A pulsing dot for content that is live. It changes its opacity twice per pulse instead of using a CSS animation, which would redraw
 * sixty times a second if the browser renders in software. It stops while it is off screen or the tab is hidden.
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
